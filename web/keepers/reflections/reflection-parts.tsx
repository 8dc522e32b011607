import { type ReactNode, useEffect, useState } from 'react'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { getChanges, readFormDraft } from '#web/offline/use-entity-form.tsx'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { getEditingPath, getReflectionDraftKey, toReflectionDraft, useJournal } from './journal-context.ts'
import type { useReflection } from './journal-queries.ts'

export function useUnsavedChange(reflection: Reflection) {
  const saved = toReflectionDraft(reflection)
  const initial = { id: '', key: '', rev: reflection.rev, before: saved, values: saved }
  const { ready, value } = useDraft<unknown>(getReflectionDraftKey(reflection.id), initial)
  const { topic, ...otherFields } = readFormDraft(value, initial, toReflectionDraft).values
  return { ready, hasUnsavedChange: Object.keys(getChanges(saved, { ...otherFields, topic: topic.trim() })).length > 0 }
}

export function UnsavedChange({ reflection }: { reflection: Reflection }) {
  const keeper = useJournal()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-small text-muted-foreground">You have unsaved changes in this browser.</span>
      <LinkButton size="small" to={`/keeper/${keeper.id}/reflection-journal${getEditingPath(reflection.id)}`}>
        {reflection.promotedToMemoryCard ? 'View your changes' : 'Continue writing'}
      </LinkButton>
    </div>
  )
}

const dayOfMonthFormat = new Intl.DateTimeFormat('en-US', { day: 'numeric' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long' })
const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long' })

/** The date in the margin; without `at` it follows the current time. */
export function DateGutter({ at }: { at?: string }) {
  const now = useClock()
  const date = at ? new Date(at) : now
  const isOtherYear = date.getFullYear() !== now.getFullYear()
  return (
    <div
      data-chrome
      className="sticky top-[calc(var(--header-height)+4rem)] self-start pt-[26px] text-end text-small leading-[1.125rem] text-muted-foreground max-[1180px]:hidden"
    >
      <div className="font-serif text-[2.875rem] leading-[2.875rem] tracking-[-0.02em] text-foreground">
        {dayOfMonthFormat.format(date)}
      </div>
      <div>
        {monthFormat.format(date)}
        {isOtherYear && ` ${date.getFullYear()}`}
      </div>
      <div>
        {weekdayFormat.format(date)}, {formatTime(date, 'time')}
      </div>
    </div>
  )
}

const clockIntervalMs = 20_000

function useClock(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), clockIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return now
}

export function WritingFrame({
  gutter,
  margin,
  children,
}: {
  gutter: ReactNode
  margin?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid grid-cols-[120px_minmax(0,38rem)_250px] justify-center gap-8 max-[1180px]:grid-cols-[minmax(0,38rem)_220px] phone:block print:block">
      {gutter}
      <div className="min-w-0">{children}</div>
      {margin ?? <div className="phone:hidden" />}
    </div>
  )
}

interface PrintedReflectionProps {
  writing: { topic: string | null; content: string }
  at: string
  /** Prints the Markdown source. */
  verbatim?: boolean
}

/** Rendered only while printing, because a long text would slow down typing. */
export function PrintedReflection(props: PrintedReflectionProps) {
  return usePrinting() ? <ReflectionPrintout {...props} /> : null
}

export function ReflectionPrintout({ writing, at, verbatim = false }: PrintedReflectionProps) {
  const keeper = useJournal()
  const dayText = `${formatTime(at, 'day')}, ${new Date(at).getFullYear()}`
  return (
    <article data-printed className="mb-10 hidden print:block">
      <h2 className="break-after-avoid">{writing.topic?.trim() || dayText}</h2>
      <p className="mb-4 break-after-avoid text-[9.5pt]">
        {dayText}, {formatTime(at, 'time')} · {keeper.title}
      </p>
      <div className={verbatim ? 'font-serif whitespace-pre-wrap' : 'font-serif'}>
        {verbatim ? writing.content : <WrittenText text={writing.content} />}
      </div>
    </article>
  )
}

/** Replaces a reflection that isn't loaded. */
export function ReflectionStatus({ query, className }: { query: ReturnType<typeof useReflection>; className: string }) {
  return (
    <QueryStatus query={query} title="This reflection couldn’t be opened" skeletonClassName={className}>
      The reflection may have been deleted. Look in Recently deleted (kept for 30 days).
    </QueryStatus>
  )
}
