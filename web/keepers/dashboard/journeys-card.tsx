import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { JourneyLine } from '#web/ui/drawings/journey-line.tsx'
import { useJourneys } from '../journeys/journey-queries.ts'

const maxVisibleJourneys = 3

export function JourneysCard({ keeper }: { keeper: Keeper }) {
  const { data } = useJourneys(keeper)
  if (!data || data.length === 0) return null
  const journeysPath = `/keeper/${keeper.id}/journeys`
  return (
    <section aria-labelledby="dashboard-journeys">
      <div className="mb-1.5 flex items-baseline">
        <h2 id="dashboard-journeys" className="font-sans text-ui font-semibold tracking-normal">
          Journeys
        </h2>
        <Link to={journeysPath} className={`ms-auto ${quietLinkClasses}`}>
          All {data.length}
        </Link>
      </div>
      <ul>
        {data.slice(0, maxVisibleJourneys).map(({ id, title, status, _count }) => {
          const { Waypoint: waypointCount, WaypointDone: doneCount, Moment: momentCount } = _count
          return (
            <li key={id} className="pt-1.5 pb-1">
              <Link to={`${journeysPath}?journey=${id}`} className="block rounded-sm hover:underline">
                <span className="flex items-baseline gap-3 text-ui">
                  <span className="min-w-0 truncate font-semibold">{title}</span>
                  <span className="ms-auto shrink-0 text-small text-muted-foreground">
                    {momentCount === 1 ? '1 moment' : `${momentCount} moments`}
                  </span>
                </span>
                <JourneyLine
                  seed={id}
                  progress={status === 'completed' ? 1 : waypointCount > 0 ? doneCount / waypointCount : 0}
                  points={Math.min(Math.max(waypointCount, 3), 9)}
                  height={34}
                  className="w-full"
                />
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
