import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Square } from 'lucide-react'
import { memo } from 'react'
import { type BookEntry, type BookOutline, book, maxBookEntries } from '#contract/keepers/book.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { formatDownloadResult, useDownload } from '#web/files/use-download.ts'
import { useAddressParams } from '#web/page/use-address-params.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { usePages } from '#web/queries/use-pages.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { DayRangeFields } from '#web/ui/fields/day-range-menu.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { KeeperFrame, KeeperTitle } from '../keeper-frame.tsx'
import { keeperKey } from '../keeper-queries.ts'
import { useAutoLoad } from '../list-end.tsx'
import { formatLongDay, formatMonth, isDay } from '../moments/format-day.ts'
import { MomentBody, MomentMedia } from '../moments/moment-body.tsx'

export function BookPage() {
  return (
    <KeeperFrame
      pageName="Book"
      renderHeader={(keeper) => (
        <div data-chrome>
          <PageHeader
            title={<KeeperTitle keeper={keeper} pageName="Book" />}
            subtitle="Moments, reflections and logbook entries in the order in which they happened, to print or to read elsewhere."
          />
        </div>
      )}
    >
      {(keeper) =>
        isDemoKeeper(keeper.id) ? (
          <EmptyPanel title="This sample has no book">Create a keeper of your own to print one.</EmptyPanel>
        ) : (
          <Book key={keeper.id} keeper={keeper} />
        )
      }
    </KeeperFrame>
  )
}

function Book({ keeper }: { keeper: Keeper }) {
  const [searchParams, changeSearchParams] = useAddressParams({ replace: true })
  const [from = '', to = ''] = ['from', 'to']
    .map((name) => searchParams.get(name) ?? '')
    .map((day) => (isDay(day) ? day : ''))
  const span: BookSpan = { ...(from && { from }), ...(to && { to }) }
  const query = useBookOutline(keeper.id, span)
  const { data: outline } = query
  const isRangeReversed = Boolean(from && to && from > to)

  const isPrintable = outline !== undefined && outline.entries > 0 && outline.entries <= maxPrintedBookEntries
  return (
    <>
      <div data-chrome className="mb-5 flex max-w-[46rem] flex-wrap items-end gap-3">
        <div className="flex flex-wrap gap-3 phone:w-full">
          <DayRangeFields
            from={from}
            to={to}
            onChange={changeSearchParams}
            className="w-44 phone:w-auto phone:min-w-36 phone:flex-1"
          />
        </div>
        <EpubButton
          keeper={keeper}
          span={span}
          disabled={!outline || outline.entries === 0 || outline.entries > maxBookEntries}
        />
        <PrintButton variant="primary" disabled={!isPrintable} />
      </div>
      {outline && outline.entries > 0 && (
        <p role="status" data-chrome className="mb-6 text-ui text-muted-foreground">
          {describeOutline(outline)}
        </p>
      )}
      <QueryStatus
        query={query}
        title={isRangeReversed ? 'The last day is before the first.' : 'The book couldn’t be loaded.'}
        skeletonClassName="h-96 max-w-[46rem]"
      />
      {outline?.entries === 0 && (
        <EmptyPanel drawing="path" title="Nothing was written in this period">
          Choose other days, or leave both empty for everything.
        </EmptyPanel>
      )}
      {isPrintable && <PrintedBook keeper={keeper} span={span} outline={outline} />}
    </>
  )
}

function describeOutline({ entries, pictures, first, last }: BookOutline): string {
  const counts = [pluralize(entries, 'entry', 'entries'), pictures > 0 && pluralize(pictures, 'picture')]
  const days = first && last && ` from ${formatLongDay(first)} to ${formatLongDay(last)}`
  const text = `${counts.filter(Boolean).join(' and ')}${days || ''}.`
  if (entries > maxBookEntries)
    return `${text} A book has at most ${maxBookEntries.toLocaleString('en-US')}. Choose a shorter span of time.`
  if (entries > maxPrintedBookEntries)
    return `${text} A printed book has at most ${maxPrintedBookEntries.toLocaleString('en-US')}. Choose a shorter span of time, or download the EPUB.`
  return text
}

function EpubButton({ keeper, span, disabled }: { keeper: Keeper; span: BookSpan; disabled: boolean }) {
  const { startDownload, stop, progressText } = useDownload()
  const download = useMutation({
    mutationFn: () => startDownload(book.epub, { params: { id: keeper.id }, query: span }, 'keeper.epub'),
  })
  const isPacking = download.isPending

  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button
        busy={isPacking}
        busyLabel="Packing..."
        disabled={disabled}
        icon={<Download aria-hidden size={14} />}
        onClick={() => download.mutate()}
      >
        EPUB
      </Button>
      {isPacking && (
        <Button size="small" variant="plain" icon={<Square aria-hidden size={12} />} onClick={stop}>
          Stop
        </Button>
      )}
      <span role="status" className="text-small text-muted-foreground empty:hidden">
        {isPacking ? progressText : formatDownloadResult(download)}
      </span>
    </span>
  )
}

/** Cover, contents and a chapter per month, as on paper. */
function PrintedBook({ keeper, span, outline }: { keeper: Keeper; span: BookSpan; outline: BookOutline }) {
  const { items: entries, error, refetch, isRefetching, hasNextPage, isPending } = useBookEntries(keeper.id, span)
  const chapters = Map.groupBy(entries, ({ day }) => day.slice(0, 7))
  return (
    <article
      aria-label={keeper.title}
      aria-busy={(isPending || hasNextPage) && !error}
      className="mx-auto max-w-[42rem] font-serif print:max-w-none"
    >
      <header className="flex flex-col items-center gap-4 py-16 text-center print:min-h-[80vh] print:justify-center">
        <Cover seed={keeper.id} width={96} height={126} />
        <p dir="auto" className="text-[2.125rem] leading-[2.625rem] wrap-anywhere">
          {keeper.title}
        </p>
        {keeper.purpose && (
          <p dir="auto" className="max-w-[30rem] whitespace-pre-wrap wrap-anywhere">
            {keeper.purpose}
          </p>
        )}
        {outline.first && outline.last && (
          <p className="text-muted-foreground">
            {formatLongDay(outline.first)} to {formatLongDay(outline.last)}
          </p>
        )}
      </header>
      <section aria-labelledby="book-contents" className="break-before-page">
        <h2 id="book-contents">Contents</h2>
        <ol className="mt-4 columns-2 gap-8 phone:columns-1 print:columns-2">
          {outline.chapters.map(({ month, entries: count }) => (
            <li key={month} className="flex items-baseline justify-between gap-3 break-inside-avoid py-0.5">
              <a href={`#book-${month}`} className="rounded-xs hover:underline">
                {formatMonth(month)}
              </a>
              <span className="text-small text-muted-foreground">{pluralize(count, 'entry', 'entries')}</span>
            </li>
          ))}
        </ol>
      </section>
      {[...chapters].map(([month, monthEntries]) => (
        <Chapter key={month} month={month} entries={monthEntries} />
      ))}
      {error && (
        <div data-chrome>
          <ErrorPanel
            reason={error}
            title="The rest of the book couldn’t be loaded."
            onRetry={() => refetch()}
            retrying={isRefetching}
          />
        </div>
      )}
    </article>
  )
}

const Chapter = memo(function Chapter({ month, entries }: { month: string; entries: BookEntry[] }) {
  const days = Map.groupBy(entries, ({ day }) => day)
  return (
    <section aria-labelledby={`book-${month}`} className="mt-12 break-before-page">
      <h2 id={`book-${month}`} className="border-b border-border pb-2">
        {formatMonth(month)}
      </h2>
      {[...days].map(([day, dayEntries]) => (
        <section key={day} aria-label={formatLongDay(day)} className="mt-6">
          <h3 className="break-after-avoid">{formatLongDay(day)}</h3>
          {dayEntries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </section>
      ))}
    </section>
  )
})

function Entry({ entry: { title, time, details, text, media } }: { entry: BookEntry }) {
  return (
    <div className="mt-3">
      {title && (
        <h4 dir="auto" className="break-after-avoid wrap-break-word">
          {title}
        </h4>
      )}
      <p className="break-after-avoid font-sans text-small text-muted-foreground wrap-anywhere empty:hidden">
        {[time, ...details].filter(Boolean).join(' · ')}
      </p>
      {text.trim() !== '' && (
        <div className="mt-1 text-read wrap-break-word">
          <MomentBody text={text} />
        </div>
      )}
      <MomentMedia media={media} />
    </div>
  )
}

interface BookSpan {
  from?: string
  to?: string
}

/** Printing renders all entries together, so a printed book is shorter than an EPUB. */
const maxPrintedBookEntries = 2000

const useBookOutline = (keeperId: string, span: BookSpan) =>
  useQuery({
    queryKey: keeperKey(keeperId, 'book', 'outline', span),
    queryFn: ({ signal }) => call(book.outline, { params: { id: keeperId }, query: span, signal }),
  })

/** Loads page after page. */
function useBookEntries(keeperId: string, span: BookSpan) {
  const query = usePages<BookEntry>(keeperKey(keeperId, 'book', 'entries', span), (page, signal) =>
    call(book.entries, { params: { id: keeperId }, query: { ...span, ...page }, signal }),
  )
  useAutoLoad(query, true)
  return query
}
