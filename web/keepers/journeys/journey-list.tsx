import { Link } from 'react-router'
import { type Journey, type JourneyStatus, journeyStatuses } from '#contract/keepers/journeys.ts'
import { classNames } from '#web/ui/class-names.ts'
import { JourneyLine } from '#web/ui/drawings/journey-line.tsx'
import { pluralize } from '#web/ui/pluralize.ts'
import { useLimitedList } from '#web/ui/use-limited-list.tsx'
import { journeyAddress } from './journey-addresses.ts'

export const statusLabels: Record<JourneyStatus, string> = {
  planned: 'Planned',
  active: 'In progress',
  paused: 'Paused',
  completed: 'Completed',
}

// Matches the server's order.
const order: JourneyStatus[] = ['active', ...journeyStatuses.filter((status) => status !== 'active')]

export function JourneyList({ journeys, openId }: { journeys: readonly Journey[]; openId: string | undefined }) {
  return (
    <nav aria-label="Journeys" className="flex flex-col gap-6">
      {order.map((status) => {
        const group = journeys.filter((journey) => journey.status === status)
        return (
          group.length > 0 && (
            <section key={status} aria-label={statusLabels[status]}>
              <h2 className="mb-2 text-ui font-label text-muted-foreground">
                {statusLabels[status]} <span className="tabular-nums">{group.length}</span>
              </h2>
              <JourneyGroup journeys={group} openId={openId} />
            </section>
          )
        )
      })}
    </nav>
  )
}

function JourneyGroup({ journeys, openId }: { journeys: readonly Journey[]; openId: string | undefined }) {
  const atLeast = journeys.findIndex(({ id }) => id === openId) + 1
  const { visible: visibleJourneys, more } = useLimitedList(journeys, { minVisible: atLeast })
  return (
    <>
      <ul className="flex flex-col gap-2">
        {visibleJourneys.map((journey) => (
          <li key={journey.id}>
            <JourneyEntry journey={journey} open={journey.id === openId} />
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}

function JourneyEntry({ journey, open }: { journey: Journey; open: boolean }) {
  const { Waypoint: all, WaypointDone: done, Moment: momentCount } = journey._count
  return (
    <Link
      to={journeyAddress(journey.id)}
      aria-current={open ? 'page' : undefined}
      className={classNames(
        'relative block rounded-lg border px-4 py-3 transition-colors duration-120 hover:bg-muted',
        open ? 'border-input bg-card shadow-e1' : 'border-border',
      )}
    >
      {open && <span aria-hidden className="absolute start-0 top-3 h-6 w-[5px] spine bg-ribbon" />}
      <span className="block font-serif text-[18px] leading-6 font-medium wrap-break-word">{journey.title}</span>
      <JourneyLine
        seed={journey.id}
        progress={journey.status === 'completed' ? 1 : all > 0 ? done / all : 0}
        points={Math.min(Math.max(all, 3), 9)}
        width={220}
        height={30}
      />
      <span className="block text-small text-muted-foreground">
        {all > 0 ? `${done} of ${pluralize(all, 'waypoint')}` : 'No waypoints'} · {pluralize(momentCount, 'moment')}
      </span>
    </Link>
  )
}
