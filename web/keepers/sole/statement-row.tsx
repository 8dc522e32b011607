import { useQuery } from '@tanstack/react-query'
import { Quote } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { type LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import type { SoleSource, StatementKind } from '#contract/keepers/sole.ts'
import { type VoiceEntry, voice } from '#contract/keepers/voice.ts'
import { call, isNotFound } from '#web/api/api.ts'
import { findInPages } from '#web/api/api-pages.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { getDiffSegments } from '#web/ui/text/compare-texts.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { keeperKey } from '../keeper-queries.ts'

const statementKinds: Record<StatementKind, { label: string; tone: BadgeTone; borderClass: string }> = {
  add: { label: 'Added', tone: 'success', borderClass: 'border-success' },
  change: { label: 'Changed', tone: 'info', borderClass: 'border-info' },
  drop: { label: 'Dropped', tone: 'destructive', borderClass: 'border-destructive' },
  keep: { label: 'Kept', tone: 'outlined', borderClass: 'border-border' },
}

interface StatementRowProps {
  kind: StatementKind
  /** Set for `change` and `drop`. */
  previousText: string | undefined
  /** Not set for `drop`. */
  nextText: string | undefined
  sources: SoleSource[]
  keeperId: string
  canOpenSources: boolean
  /** Absent when there is nothing to choose. */
  choice?: { checked: boolean; onChange: (checked: boolean) => void }
}

export function StatementRow({
  kind,
  previousText,
  nextText,
  sources,
  keeperId,
  canOpenSources,
  choice,
}: StatementRowProps) {
  const { label, tone, borderClass } = statementKinds[kind]
  const text = nextText ?? previousText ?? ''
  return (
    <li className={classNames('border-s-2 py-2.5 ps-3.5', borderClass)}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        {choice && (
          <Checkbox
            checked={choice.checked}
            onCheckedChange={choice.onChange}
            label="Approve"
            aria-label={`Approve: ${text}`}
          />
        )}
      </div>
      <div
        className={classNames(
          'mt-1 font-serif text-[1.0625rem] leading-[1.625rem] wrap-break-word',
          kind === 'keep' && 'text-muted-foreground',
        )}
      >
        <StatementText kind={kind} previousText={previousText} nextText={nextText} />
      </div>
      {(sources.length > 0 || kind === 'add' || kind === 'change') && (
        <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
          {sources.map((source) => (
            <SourceChip
              key={`${source.entity} ${source.id} ${source.quote}`}
              source={source}
              keeperId={keeperId}
              canOpenSources={canOpenSources}
            />
          ))}
          {sources.length === 0 && <span className="text-small text-muted-foreground">No source quoted</span>}
        </div>
      )}
    </li>
  )
}

type StatementTextProps = Pick<StatementRowProps, 'kind' | 'previousText' | 'nextText'>

function StatementText({ kind, previousText, nextText }: StatementTextProps) {
  if (kind === 'change' && previousText !== undefined && nextText !== undefined)
    return <ChangedText previousText={previousText} nextText={nextText} />
  const text = nextText ?? previousText
  if (kind !== 'drop') return <p dir="auto">{text}</p>
  return (
    <p>
      <del dir="auto" className="text-destructive decoration-1">
        {text}
      </del>
    </p>
  )
}

function ChangedText({ previousText, nextText }: { previousText: string; nextText: string }) {
  const [previousSegments, nextSegments] = useMemo(
    () => [getDiffSegments(previousText, nextText), getDiffSegments(nextText, previousText)],
    [previousText, nextText],
  )
  return (
    <>
      <p className="text-[0.9375rem] leading-6 text-muted-foreground">
        <span className="sr-only">Before: </span>
        {renderSegments(previousSegments, (key, content) => (
          <del key={key} className="rounded-xs bg-destructive-soft text-destructive decoration-1">
            {content}
          </del>
        ))}
      </p>
      <p>
        <span className="sr-only">After: </span>
        {renderSegments(nextSegments, (key, content) => (
          <ins key={key} className="rounded-xs bg-success-soft text-success underline decoration-1 underline-offset-2">
            {content}
          </ins>
        ))}
      </p>
    </>
  )
}

function renderSegments(
  segments: ReturnType<typeof getDiffSegments>,
  renderMark: (key: number, content: string) => ReactNode,
): ReactNode[] {
  return segments.map(({ text, isUnique: isChanged }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have no id
    isChanged ? renderMark(index, text) : <span key={index}>{text}</span>,
  )
}

interface SourceChipProps {
  source: SoleSource
  keeperId: string
  /** False for reviewers, who see the quote without its context. */
  canOpenSources: boolean
}

export function SourceChip({ source, keeperId, canOpenSources }: SourceChipProps) {
  const dateSuffix = source.at ? `, ${formatTime(source.at)}` : ''
  const label = `${entityNames[source.entity]}${dateSuffix}`
  return (
    <Popover
      label={`Source: ${label}`}
      className="w-80"
      trigger={
        <button
          type="button"
          title={source.quote}
          className="inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-[5px] bg-secondary px-2 text-[0.71875rem] font-label text-secondary-foreground hover:bg-accent phone:min-h-7"
        >
          <Quote aria-hidden size={11} />
          <span dir="auto" className="truncate">
            {label}
          </span>
        </button>
      }
    >
      <p dir="auto" className="mb-2 text-small font-semibold">
        {label}
      </p>
      {canOpenSources ? (
        <QuoteInContext source={source} keeperId={keeperId} />
      ) : (
        <blockquote dir="auto" className="font-serif text-[0.9375rem] leading-6 wrap-break-word">
          “{source.quote}”
        </blockquote>
      )}
    </Popover>
  )
}

function QuoteInContext({ source, keeperId }: { source: SoleSource; keeperId: string }) {
  const { entity, id, quote } = source
  const { data, error, isPending } = useQuery({
    queryKey: keeperKey(keeperId, 'sole', 'source', entity, id),
    queryFn: ({ signal }) => fetchSourceTexts(source, keeperId, signal),
    retry: false,
  })
  if (isPending) return <Skeleton className="h-20" />
  const sourceText = data?.find((text) => text.includes(quote))
  const isDeleted = isNotFound(error)
  return (
    <>
      <blockquote className="max-h-60 overflow-y-auto font-serif text-[0.9375rem] leading-6 whitespace-pre-wrap wrap-break-word">
        {sourceText === undefined ? `“${quote}”` : <MarkedQuote text={sourceText} quote={quote} />}
      </blockquote>
      {sourceText === undefined && (
        <p className="mt-2 text-small text-muted-foreground">
          {isDeleted || data
            ? 'The source has been changed or deleted. The quote is shown as it was when it was checked.'
            : 'The source couldn’t be loaded.'}
        </p>
      )}
      {!isDeleted && (
        <Link to={getEntryPath({ entity, keeperId, id })} className={`mt-2.5 inline-block ${quietLinkClasses}`}>
          Open the {entityNames[entity].toLowerCase()}
        </Link>
      )}
    </>
  )
}

const contextLength = 160

function MarkedQuote({ text, quote }: { text: string; quote: string }) {
  const quoteStart = text.indexOf(quote)
  const contextStart = Math.max(0, quoteStart - contextLength)
  const contextEnd = quoteStart + quote.length + contextLength
  return (
    <>
      {contextStart > 0 && '…'}
      {text.slice(contextStart, quoteStart)}
      <mark className="rounded-xs bg-ribbon-soft text-foreground">{quote}</mark>
      {text.slice(quoteStart + quote.length, contextEnd)}
      {contextEnd < text.length && '…'}
    </>
  )
}

async function fetchSourceTexts({ entity, id }: SoleSource, keeperId: string, signal: AbortSignal): Promise<string[]> {
  const params = { id }
  if (entity === 'card') return [(await call(memoryCards.show, { params, signal })).content]
  if (entity === 'reflection') return [(await call(reflections.show, { params, signal })).content]
  if (entity === 'moment') {
    const { body, title } = await call(moments.show, { params, signal })
    return [body, title ?? '']
  }
  if (entity === 'voice') {
    const entry = await findInPages<VoiceEntry>(voice.list, { id: keeperId }, id, signal)
    return entry ? [entry.belief, entry.label, entry.transcript ?? ''] : []
  }
  const entry = await findInPages<LogbookEntry>(logbook.list, { id: keeperId }, id, signal)
  return entry ? [entry.entry, entry.label] : []
}
