import type { DomainPeople } from '#contract/domains/people.ts'
import { StatTile } from '#web/ui/panels/stat-tile.tsx'

export function BoardSummary({ summary }: { summary: DomainPeople['summary'] }) {
  const stats = [
    ['Total', summary.total],
    ['Active', summary.active],
    ['Pending', summary.pending],
    ['Domains', summary.domains],
    ['Journeys', summary.journeys],
  ] as const
  return (
    <section
      aria-label="Summary"
      className="mb-5 grid grid-cols-5 divide-x divide-hairline border-y border-hairline py-3 phone:grid-cols-3 phone:gap-y-3 phone:divide-x-0"
    >
      {stats.map(([label, value]) => (
        <StatTile
          key={label}
          label={label}
          value={value.toLocaleString('en-US')}
          className="px-4 first:ps-0 phone:px-0"
        />
      ))}
    </section>
  )
}
