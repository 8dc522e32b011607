import { Link } from 'react-router'
import { type Journey, type JourneyStatus, journeyStatuses } from '#contract/keepers/journeys.ts'
import { JourneyLine, type JourneyLineProps } from '#web/ui/drawings/journey-line.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import type { BadgeTone } from '#web/ui/panels/badge.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { getJourneyPagePath } from './journey-queries.ts'

export const statusLabels: Record<JourneyStatus, string> = {
  planned: 'Planned',
  active: 'In progress',
  paused: 'Paused',
  completed: 'Completed',
}

export const statusTones: Record<JourneyStatus, BadgeTone> = {
  planned: 'neutral',
  active: 'info',
  paused: 'neutral',
  completed: 'success',
}

// Matches the server's order.
const statusOrder: JourneyStatus[] = ['active', ...journeyStatuses.filter((status) => status !== 'active')]

export function JourneyList({ journeys, openId }: { journeys: readonly Journey[]; openId: string | undefined }) {
  return (
    <nav aria-label="Journeys" className="flex flex-col gap-6">
      {statusOrder.map((status) => {
        const statusJourneys = journeys.filter((journey) => journey.status === status)
        return (
          statusJourneys.length > 0 && (
            <section key={status} aria-label={statusLabels[status]}>
              <h2 className="mb-2 font-sans tracking-normal text-ui font-label text-muted-foreground">
                {statusLabels[status]} <span className="tabular-nums">{statusJourneys.length}</span>
              </h2>
              <JourneyGroup journeys={statusJourneys} openId={openId} />
            </section>
          )
        )
      })}
    </nav>
  )
}

function JourneyGroup({ journeys, openId }: { journeys: readonly Journey[]; openId: string | undefined }) {
  const minVisible = journeys.findIndex(({ id }) => id === openId) + 1
  const { visible: visibleJourneys, showMoreButton } = useLimitedList(journeys, { minVisible })
  return (
    <>
      <ul className="flex flex-col gap-2">
        {visibleJourneys.map((journey) => (
          <li key={journey.id}>
            <JourneyEntry journey={journey} isOpen={journey.id === openId} />
          </li>
        ))}
      </ul>
      {showMoreButton}
    </>
  )
}

const minLinePoints = 3
const maxLinePoints = 9

interface JourneyProgressProps extends Omit<JourneyLineProps, 'seed' | 'progress' | 'pointCount'> {
  journey: Pick<Journey, 'id' | 'status' | '_count'>
}

export function JourneyProgress({ journey: { id, status, _count }, ...line }: JourneyProgressProps) {
  const { Waypoint: waypointCount, WaypointDone: doneCount } = _count
  const reachedShare = waypointCount > 0 ? doneCount / waypointCount : 0
  return (
    <JourneyLine
      {...line}
      seed={id}
      progress={status === 'completed' ? 1 : reachedShare}
      pointCount={Math.min(Math.max(waypointCount, minLinePoints), maxLinePoints)}
    />
  )
}

function JourneyEntry({ journey, isOpen }: { journey: Journey; isOpen: boolean }) {
  const { Waypoint: waypointCount, WaypointDone: doneCount, Moment: momentCount } = journey._count
  return (
    <Link
      to={getJourneyPagePath(journey.id)}
      aria-current={isOpen ? 'page' : undefined}
      className={classNames(
        'relative block rounded-lg border px-4 py-3 transition-colors duration-120 hover:bg-muted',
        isOpen ? 'border-input bg-card shadow-e1' : 'border-border',
      )}
    >
      {isOpen && <span aria-hidden className="absolute start-0 top-3 h-6 w-[5px] spine bg-ribbon" />}
      <span dir="auto" className="block font-serif text-[1.125rem] leading-6 font-medium wrap-break-word">
        {journey.title}
      </span>
      <JourneyProgress journey={journey} width={220} height={30} />
      <span className="block text-small text-muted-foreground">
        {waypointCount > 0 ? `${doneCount} of ${pluralize(waypointCount, 'waypoint')}` : 'No waypoints'} ·{' '}
        {pluralize(momentCount, 'moment')}
      </span>
    </Link>
  )
}
