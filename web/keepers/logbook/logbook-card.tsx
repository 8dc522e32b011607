import { Pin } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { type DatedEntry, groupByYear, logbookKind } from '../entries/entry-kinds.ts'
import { EntryActions, type EntryCardContext, QueuedBadge } from '../entries/entry-parts.tsx'
import { Prose } from '../prose.tsx'

interface LogbookCardProps extends EntryCardContext<LogbookEntry> {
  getJourneyName: (id: string) => string | undefined
}

export function LogbookCard({ entry, entryList, getJourneyName, onEdit }: LogbookCardProps) {
  const isQueued = entryList.queuedIds.has(entry.id)
  const { label, tags, keeperId, momentId, journeyId, pinned } = entry
  return (
    <Card kind="index" className="flex h-full flex-col gap-3">
      <div className="flex items-baseline gap-3 border-b border-chart4 pb-2">
        <h2 dir="auto" className="min-w-0 flex-1 font-serif text-lead wrap-anywhere">
          {label}
        </h2>
        <span className="text-small text-muted-foreground">{entry.category}</span>
      </div>
      <Prose text={entry.entry} />
      <div className="mt-auto flex flex-wrap items-center gap-2">
        <time dateTime={entry.occurredOn} className="text-small text-muted-foreground">
          {formatLogbookDay(entry)}
        </time>
        {pinned && (
          <Badge tone="ribbon" icon={<Pin aria-hidden size={11} />}>
            Pinned
          </Badge>
        )}
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
        {journeyId && <Badge tone="outlined">{getJourneyName(journeyId) ?? 'A journey'}</Badge>}
        {momentId && (
          <Link
            to={getEntryPath({ entity: 'moment', keeperId, id: momentId })}
            aria-label={`Open moment of ${label}`}
            className={quietLinkClasses}
          >
            Open moment
          </Link>
        )}
        {!entry.aiVisible && <Badge tone="outlined">Not for AI</Badge>}
        {isQueued && <QueuedBadge />}
        <span data-chrome className="ms-auto flex flex-wrap justify-end gap-1">
          <EntryActions
            entry={entry}
            entryList={entryList}
            name={label}
            question="Delete this logbook entry?"
            kind={logbookKind}
            onEdit={onEdit}
          />
        </span>
      </div>
    </Card>
  )
}

export const formatLogbookDay = ({ occurredOn }: Pick<LogbookEntry, 'occurredOn'>) =>
  formatTime(`${occurredOn}T12:00:00`)

export function LogbookYears({ entries }: { entries: readonly DatedEntry[] }) {
  const sortedEntries = entries.toSorted((a, b) => b.occurredOn.localeCompare(a.occurredOn))
  const years = [...new Set(sortedEntries.map(({ occurredOn }) => occurredOn.slice(0, 4)))]
  // An object, so that choosing the same year again scrolls again.
  const [chosen, setChosen] = useState({ year: '' })
  const minVisible = sortedEntries.findLastIndex(({ occurredOn }) => occurredOn.startsWith(chosen.year)) + 1
  const { visible: visibleEntries, showMoreButton } = useLimitedList(sortedEntries, {
    minVisible: chosen.year === '' ? 0 : minVisible,
  })
  const listRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen.year === '') return
    const heading = listRef.current?.querySelector<HTMLElement>(`#year-${chosen.year}`)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ block: 'start' })
  }, [chosen])
  return (
    <div ref={listRef} className="flex flex-col gap-10">
      {years.length > 1 && (
        <div data-chrome>
          <FilterChips
            label="Go to a year"
            value={chosen.year}
            onValueChange={(year) => setChosen({ year })}
            options={years.map((value) => ({ value, label: value }))}
          />
        </div>
      )}
      {groupByYear(visibleEntries).map(({ year, categories }) => (
        <section key={year} aria-labelledby={`year-${year}`}>
          <h2
            id={`year-${year}`}
            tabIndex={-1}
            className="scroll-mt-20 border-b border-border pb-2 font-serif text-figure"
          >
            {year}
          </h2>
          {categories.map(({ category, entries: categoryEntries }) => (
            <section key={category} aria-label={`${category}, ${year}`} className="mt-5">
              <h3 className="font-sans tracking-normal text-ui text-muted-foreground">Who I was: {category}</h3>
              <ul className="mt-2 flex flex-col gap-4">
                {categoryEntries.map((entry) => (
                  <li key={entry.id} className="border-s-2 border-chart4 ps-4">
                    <p dir="auto" className="font-serif text-lead wrap-anywhere">
                      {entry.label}
                    </p>
                    <div className="font-serif text-body wrap-anywhere">
                      <WrittenText text={entry.entry} />
                    </div>
                    <time dateTime={entry.occurredOn} className="text-small text-muted-foreground">
                      {formatLogbookDay(entry)}
                    </time>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </section>
      ))}
      {showMoreButton}
    </div>
  )
}
