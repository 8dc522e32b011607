import { memo } from 'react'
import type { BookEntry, BookOutline } from '#contract/keepers/book.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { formatLongDay, formatMonth } from '../moments/format-day.ts'
import { MomentBody } from '../moments/moment-body.tsx'
import { MomentMedia } from '../moments/moment-media.tsx'
import { type BookSpan, useBookEntries } from './book-queries.ts'

interface PrintedBookProps {
  keeper: Keeper
  span: BookSpan
  outline: BookOutline
}

/** Cover, contents and a chapter per month, as on paper. */
export function PrintedBook({ keeper, span, outline }: PrintedBookProps) {
  const { entries, error, refetch, isRefetching, hasNextPage, isPending } = useBookEntries(keeper.id, span)
  const chapters = Map.groupBy(entries, ({ day }) => day.slice(0, 7))
  return (
    <article
      aria-label={keeper.title}
      aria-busy={(isPending || hasNextPage) && !error}
      className="mx-auto max-w-[42rem] font-serif print:max-w-none"
    >
      <header className="flex flex-col items-center gap-4 py-16 text-center print:min-h-[80vh] print:justify-center">
        <Cover seed={keeper.id} width={96} height={126} />
        <p className="text-[34px] leading-[42px] wrap-anywhere">{keeper.title}</p>
        {keeper.purpose && <p className="max-w-[30rem] whitespace-pre-wrap wrap-anywhere">{keeper.purpose}</p>}
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
      {[...chapters].map(([month, ofMonth]) => (
        <Chapter key={month} month={month} entries={ofMonth} />
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
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={formatLongDay(day)} className="mt-6">
          <h3 className="break-after-avoid">{formatLongDay(day)}</h3>
          {ofDay.map((entry) => (
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
      {title && <h4 className="break-after-avoid wrap-break-word">{title}</h4>}
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
