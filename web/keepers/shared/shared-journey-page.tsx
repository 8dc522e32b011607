import { useParams } from 'react-router'
import type { SharedJourneyPoint, SharedPath } from '#contract/domains/sharing-in-domains.ts'
import { useCrumb, useSetParentCrumb } from '#web/page/crumb.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { statusLabels, statusTones } from '../journeys/journey-list.tsx'
import { PathCard, WaypointHeading, WaypointMark } from '../journeys/path-card.tsx'
import { formatMomentName, RiverLine, renderNamedDot } from '../journeys/river-line.tsx'
import { getPigmentInk } from '../pigments.ts'
import { Prose } from '../prose.tsx'
import { ReadOnlyTimeline } from './read-only-moment.tsx'
import {
  getSharedDomainPath,
  getSharedKeeperPath,
  isUnavailableError,
  useDomainName,
  useSharedJourney,
} from './shared-queries.ts'
import { DomainMediaProvider, SharedBy, SharedState } from './shared-states.tsx'

const pathStateLabels = { taken: 'Taken', open: 'Open', not_taken: 'Not taken' }

interface ReadOnlyPathProps {
  path: SharedPath
  momentsById: ReadonlyMap<string, SharedJourneyPoint>
  ink: string
}

function ReadOnlyPath({ path, momentsById, ink }: ReadOnlyPathProps) {
  const isNotTaken = path.state === 'not_taken'
  return (
    <PathCard
      path={path}
      controls={<Badge tone={path.state === 'taken' ? 'info' : 'outlined'}>{pathStateLabels[path.state]}</Badge>}
      waypoints={path.waypoints.map((waypoint) => (
        <li key={waypoint.id} className="relative py-2.5 ps-9">
          <WaypointMark ink={ink} isDone={waypoint.doneAt !== null} isNotTaken={isNotTaken} />
          <WaypointHeading waypoint={waypoint} isNotTaken={isNotTaken} />
          <Prose text={waypoint.note} className="mt-1 text-muted-foreground" />
          {waypoint.momentIds.length > 0 && (
            <ul aria-label={`Moments at ${waypoint.title}`} className="mt-1.5 flex flex-col gap-0.5">
              {waypoint.momentIds.map((id) => {
                const moment = momentsById.get(id)
                return (
                  <li key={id} className="flex items-baseline gap-2 text-small text-muted-foreground">
                    <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: ink }} />
                    <span className="min-w-0 wrap-anywhere">
                      {moment ? formatMomentName(moment) : 'An earlier moment'}
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </li>
      ))}
    >
      {path.waypoints.length === 0 && <p className="py-2 text-muted-foreground">No waypoints.</p>}
    </PathCard>
  )
}

type SharedJourneyQuery = ReturnType<typeof useSharedJourney>

export function SharedJourneyPage() {
  const { domainId = '', journeyId = '' } = useParams()
  const journeyQuery = useSharedJourney(domainId, journeyId)
  const { journey, error } = journeyQuery
  const domainName = useDomainName(domainId)
  if (!journey || domainName === undefined || isUnavailableError(error))
    return (
      <SharedState
        title="Journey"
        query={journeyQuery}
        wasLoaded={journey !== undefined}
        back={{ to: getSharedDomainPath(domainId), label: 'All shared items' }}
        noun="journey"
      />
    )
  return (
    <DomainMediaProvider domainId={domainId}>
      <SharedJourneyView domainId={domainId} domainName={domainName} journey={journey} journeyQuery={journeyQuery} />
    </DomainMediaProvider>
  )
}

interface SharedJourneyViewProps {
  domainId: string
  domainName: string
  journey: NonNullable<SharedJourneyQuery['journey']>
  journeyQuery: SharedJourneyQuery
}

function SharedJourneyView({ domainId, domainName, journey, journeyQuery }: SharedJourneyViewProps) {
  const { items } = journeyQuery
  useSetParentCrumb(domainName, getSharedDomainPath(domainId))
  useCrumb(journey.title)
  const { beads: points } = journey
  const momentsById = new Map(points.map((moment) => [moment.id, moment]))
  return (
    <article aria-label={journey.title} className="flex min-w-0 max-w-[1040px] flex-col gap-5">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 dir="auto" className="wrap-break-word">
            {journey.title}
          </h1>
          <SharedBy {...journey.owner} domainName={domainName}>
            <Badge tone={statusTones[journey.status]}>{statusLabels[journey.status]}</Badge>
          </SharedBy>
          <Prose text={journey.purpose} className="mt-3 max-w-[42rem]" />
        </div>
        {journey.keeperId && (
          <LinkButton to={`${getSharedKeeperPath(domainId, journey.keeperId)}?part=journeys`}>
            Open the keeper
          </LinkButton>
        )}
      </header>
      <RiverLine journey={journey} hasEarlier={journeyQuery.hasEarlierPoints} renderMoment={renderNamedDot} />
      {journey.paths.map((path) => (
        <ReadOnlyPath key={path.id} path={path} momentsById={momentsById} ink={getPigmentInk(journey.color)} />
      ))}
      {items.length > 0 && (
        <section aria-label="Moments of the journey" className="mt-4">
          <ReadOnlyTimeline items={items} list={journeyQuery} />
        </section>
      )}
    </article>
  )
}
