import { useLimitedList } from '#web/ui/use-limited-list.tsx'
import { formatLogbookDay } from './logbook-card.tsx'
import { type DatedEntry, groupByYear } from './logbook-kind.ts'

export function LogbookYears({ entries }: { entries: readonly DatedEntry[] }) {
  const { visible: visibleEntries, more } = useLimitedList(
    entries.toSorted((a, b) => b.occurredOn.localeCompare(a.occurredOn)),
  )
  return (
    <div className="flex flex-col gap-10">
      {groupByYear(visibleEntries).map(({ year, categories }) => (
        <section key={year} aria-labelledby={`year-${year}`}>
          <h2 id={`year-${year}`} className="border-b border-border pb-2 font-serif text-figure">
            {year}
          </h2>
          {categories.map(({ category, entries: categoryEntries }) => (
            <section key={category} aria-label={`${category}, ${year}`} className="mt-5">
              <h3 className="text-ui text-muted-foreground">Who I was: {category}</h3>
              <ul className="mt-2 flex flex-col gap-4">
                {categoryEntries.map((entry) => (
                  <li key={entry.id} className="border-s-2 border-chart4 ps-4">
                    <p className="font-serif text-lead wrap-anywhere">{entry.label}</p>
                    <p className="font-serif text-body whitespace-pre-wrap wrap-anywhere">{entry.entry}</p>
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
