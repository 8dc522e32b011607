import { useMutation } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { Fragment, useDeferredValue, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { DayRangeFields } from '#web/ui/fields/day-range-menu.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { SavedLabel } from '#web/ui/panels/saved-label.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { QueuedBadge } from '../entries/entry-parts.tsx'
import { getReadingPath, getTabPath, useJournal } from './journal-context.ts'
import {
  applyQueuedWrite,
  fetchReflectionPage,
  type JournalFilter,
  type QueuedWrites,
  toQueuedReflection,
  useQueuedWrites,
  useReflectionPages,
  useTopicNames,
} from './journal-queries.ts'
import { toPlainExcerpt } from './plain-excerpt.ts'
import { ReflectionPrintout } from './reflection-parts.tsx'

/** All reflections by month, newest first, preceded by those queued in this browser. */
export function AllReflections() {
  const [searchText, setSearchText] = useState('')
  const [topic, setTopic] = useState('')
  const [isPrintDialogOpen, setPrintDialogOpen] = useState(false)
  const q = useDeferredValue(searchText.trim())
  const topicNames = useTopicNames()
  const query = useReflectionPages({ q, topic })
  const { data } = query
  const queuedWrites = useQueuedWrites()
  const loadedReflections = query.items.map((reflection) => applyQueuedWrite(reflection, queuedWrites))
  const queuedReflections = [...queuedWrites.values()].flatMap((write) => toQueuedReflection(write) ?? [])
  const isFiltered = q !== '' || topic !== ''

  return (
    <div className="mx-auto max-w-[46rem]">
      <div data-chrome className="mb-5 flex flex-wrap items-center gap-2.5">
        <SearchField
          label="Search reflections"
          value={searchText}
          onValueChange={setSearchText}
          maxLength={maxSearchLength}
          className="min-w-[min(12rem,100%)] flex-1 phone:basis-full"
        />
        <SelectField
          label="Topic"
          labelHidden
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
          options={[{ value: '', label: 'All topics' }, ...topicNames.map((name) => ({ value: name, label: name }))]}
          className="w-44 phone:min-w-0 phone:flex-1"
        />
        <Button icon={<Printer aria-hidden size={14} />} onClick={() => setPrintDialogOpen(true)}>
          Print…
        </Button>
      </div>
      {queuedReflections.length > 0 && !isFiltered && <QueuedReflections reflections={queuedReflections} />}
      <QueryStatus query={query} title="Reflections couldn’t be loaded" skeletonClassName="h-72" />
      {data && loadedReflections.length + queuedReflections.length === 0 && <NoReflections isFiltered={isFiltered} />}
      <div className="print:[main:has([data-printed])_&]:hidden">
        <ReflectionMonths reflections={loadedReflections} queuedWrites={queuedWrites} />
        {query.hasNextPage && (
          <div className="mt-6 text-center">
            {query.isFetchNextPageError && (
              <p className="mb-2 text-ui text-muted-foreground">Earlier reflections couldn’t be loaded.</p>
            )}
            <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              Show earlier
            </Button>
          </div>
        )}
      </div>
      <PrintRangeDialog open={isPrintDialogOpen} onOpenChange={setPrintDialogOpen} filter={{ q, topic }} />
    </div>
  )
}

function ReflectionMonths({ reflections, queuedWrites }: { reflections: Reflection[]; queuedWrites: QueuedWrites }) {
  const months = Map.groupBy(reflections, ({ createdAt }) => formatTime(createdAt, 'month'))
  return [...months].map(([month, monthReflections]) => (
    <Fragment key={month}>
      <h2 className="mt-7 mb-1 font-sans text-small font-semibold tracking-normal text-muted-foreground first:mt-0">
        {month}
      </h2>
      <ul>
        {monthReflections.map((reflection) => (
          <li
            key={reflection.id}
            data-item
            className="relative grid grid-cols-[52px_1fr] gap-x-4 border-b border-hairline py-4 [contain-intrinsic-size:auto_110px] [content-visibility:auto] last:border-0"
          >
            <ReflectionEntry reflection={reflection} isQueued={queuedWrites.has(reflection.id)} />
          </li>
        ))}
      </ul>
    </Fragment>
  ))
}

const dayOfMonthFormat = new Intl.DateTimeFormat('en-US', { day: 'numeric' })
const shortWeekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

function ReflectionEntry({ reflection, isQueued }: { reflection: Reflection; isQueued: boolean }) {
  const { createdAt, topic, content, promotedToMemoryCard, aiVisible } = reflection
  const day = new Date(createdAt)
  const excerpt = toPlainExcerpt(content)
  return (
    <>
      <div aria-hidden className="text-end text-small text-muted-foreground">
        <div className="font-serif text-[1.625rem] leading-7 text-foreground">{dayOfMonthFormat.format(day)}</div>
        {shortWeekdayFormat.format(day)}
      </div>
      <div className="min-w-0">
        <h3 className="text-[1.0625rem] leading-6 wrap-break-word">
          <Link
            to={getReadingPath(reflection.id)}
            className="after:absolute after:inset-0 hover:underline hover:underline-offset-[3px]"
          >
            {topic ?? formatTime(createdAt, 'day')}
          </Link>
        </h3>
        <p dir="auto" className="mt-0.5 line-clamp-2 font-serif text-lead wrap-break-word text-muted-foreground">
          {excerpt}
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted-foreground">
          <span>{formatTime(createdAt, 'time')}</span>
          {promotedToMemoryCard && <SavedLabel />}
          {!aiVisible && <Badge>Not for AI</Badge>}
          {isQueued && <QueuedBadge />}
        </p>
      </div>
    </>
  )
}

function QueuedReflections({ reflections }: { reflections: Reflection[] }) {
  return (
    <section aria-label="Waiting to be sent" data-chrome className="mb-6 rounded-md bg-info-soft px-4 py-3">
      <h2 className="font-sans text-small font-semibold tracking-normal">Waiting to be sent</h2>
      <p className="text-small text-muted-foreground">
        Saved in this browser and sent automatically when the server can be reached.
      </p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {reflections.map(({ id, topic, content, createdAt }) => (
          <li key={id} className="font-serif text-lead wrap-break-word">
            <span className="me-2 font-sans text-small text-muted-foreground">{formatTime(createdAt, 'time')}</span>
            <Link to={getReadingPath(id)} className="rounded-xs hover:underline hover:underline-offset-[3px]">
              {topic && <b className="font-medium">{topic}: </b>}
              {toPlainExcerpt(content, 140)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NoReflections({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyPanel title="No reflections found">Try other words, or another topic.</EmptyPanel>
  return (
    <EmptyPanel
      drawing="letter"
      title="Nothing written yet"
      action={
        <LinkButton to={getTabPath('write')} variant="primary">
          Write a reflection
        </LinkButton>
      }
    >
      Your reflections will appear here.
    </EmptyPanel>
  )
}

/** Long enough for the dialog to close and lazy content to render. */
const printDelayMs = 400

interface PrintRangeDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The filter of the list also applies to the printout. */
  filter: JournalFilter
}

function PrintRangeDialog({ open, onOpenChange, filter }: PrintRangeDialogProps) {
  const keeper = useJournal()
  const [{ from, to }, setDays] = useState({ from: '', to: '' })
  const loadReflections = useMutation({
    mutationFn: () => loadRange(keeper.id, filter, from, to),
    onSuccess: (reflections) => reflections.length > 0 && onOpenChange(false),
  })
  const { data: printedReflections, reset } = loadReflections

  useEffect(() => {
    if (!printedReflections?.length) return
    addEventListener('afterprint', reset)
    const timer = setTimeout(() => print(), printDelayMs)
    return () => {
      removeEventListener('afterprint', reset)
      clearTimeout(timer)
    }
  }, [printedReflections, reset])

  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="small"
        title="Print reflections"
        description={
          filter.q || filter.topic
            ? 'Prints the reflections in the current list within these days.'
            : 'Leave a date empty to start with the first reflection or end with the last.'
        }
        footer={
          <>
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button variant="primary" busy={loadReflections.isPending} onClick={() => loadReflections.mutate()}>
              Print
            </Button>
          </>
        }
      >
        <div className="flex flex-wrap gap-3">
          <DayRangeFields
            from={from}
            to={to}
            onChange={(change) => setDays({ from, to, ...change })}
            className="min-w-[min(10rem,100%)] flex-1"
          />
        </div>
        <p role="status" className="mt-3 text-ui text-muted-foreground empty:hidden">
          {loadReflections.error && 'Your reflections couldn’t be loaded. Try again.'}
          {printedReflections?.length === 0 && 'Nothing written on these days.'}
        </p>
      </Dialog>
      {printedReflections &&
        createPortal(
          <div className="hidden print:block">
            {printedReflections.map((reflection) => (
              <ReflectionPrintout key={reflection.id} writing={reflection} at={reflection.createdAt} />
            ))}
          </div>,
          document.querySelector('main') ?? document.body,
        )}
    </>
  )
}

/** The reflections from one day to another, oldest first. An empty day doesn't limit them. */
async function loadRange(keeperId: string, filter: JournalFilter, from: string, to: string): Promise<Reflection[]> {
  const start = from === '' ? Number.NEGATIVE_INFINITY : new Date(`${from}T00:00`).getTime()
  const end = to === '' ? Number.POSITIVE_INFINITY : new Date(`${to}T24:00`).getTime()
  const loadedReflections: Reflection[] = []
  let cursor: string | null | undefined
  do {
    const page = await fetchReflectionPage(keeperId, filter, cursor ? { cursor } : {})
    loadedReflections.push(...(page.data ?? []))
    cursor = page.next_cursor
  } while (cursor && Date.parse(loadedReflections.at(-1)?.createdAt ?? '') >= start)
  return loadedReflections
    .filter(({ createdAt }) => Date.parse(createdAt) >= start && Date.parse(createdAt) < end)
    .reverse()
}
