import { useEffect, useRef, useState } from 'react'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { WrittenText } from '#web/ui/text/written-text.tsx'
import { formatLogbookDay } from './logbook-card.tsx'
import { type DatedEntry, groupByYear } from './logbook-kind.ts'

export function LogbookYears({ entries }: { entries: readonly DatedEntry[] }) {
  const sorted = entries.toSorted((a, b) => b.occurredOn.localeCompare(a.occurredOn))
  const years = [...new Set(sorted.map(({ occurredOn }) => occurredOn.slice(0, 4)))]
  const [chosen, setChosen] = useState({ year: '' })
  const minVisible = sorted.findLastIndex(({ occurredOn }) => occurredOn.startsWith(chosen.year)) + 1
  const { visible: visibleEntries, more } = useLimitedList(sorted, { minVisible: chosen.year === '' ? 0 : minVisible })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen.year === '') return
    const heading = list.current?.querySelector<HTMLElement>(`#year-${chosen.year}`)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ block: 'start' })
  }, [chosen])
  return (
    <div ref={list} className="flex flex-col gap-10">
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
              <h3 className="text-ui text-muted-foreground">Who I was: {category}</h3>
              <ul className="mt-2 flex flex-col gap-4">
                {categoryEntries.map((entry) => (
                  <li key={entry.id} className="border-s-2 border-chart4 ps-4">
                    <p className="font-serif text-lead wrap-anywhere">{entry.label}</p>
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
      {more}
    </div>
  )
}
