import { Link } from 'react-router'
import { statusLabels } from '#web/keepers/journeys/journey-list.tsx'
import { getJourneyPagePath, getMomentPath } from '#web/keepers/journeys/journey-queries.ts'
import { formatMomentName, RiverLine } from '#web/keepers/journeys/river-line.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { type FrameJourney, WithJourney } from './with-journey.tsx'

export function JourneyLineFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyLineBody {...resolvedJourney} />}</WithJourney>
}

function JourneyLineBody({ journey, source }: FrameJourney) {
  const isCompleted = journey.status === 'completed'
  return (
    <div className="flex flex-col gap-2.5 p-3">
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h4 className="min-w-0 font-serif text-h3 wrap-anywhere">{journey.title}</h4>
        <Badge tone={isCompleted ? 'success' : journey.status === 'active' ? 'info' : 'neutral'}>
          {statusLabels[journey.status]}
        </Badge>
        {source.kind !== 'sample' && (
          <Link to={getJourneyRoute(source, journey.id)} className={`${quietLinkClasses} ms-auto`}>
            Open the journey
          </Link>
        )}
      </header>
      <RiverLine
        journey={journey}
        renderMoment={(point, face) =>
          source.kind === 'own' ? (
            <Link
              to={getMomentPath(source.keeperId, point)}
              title={formatMomentName(point)}
              aria-label={formatMomentName(point)}
              className="group grid size-8 place-items-center rounded-full"
            >
              {face}
            </Link>
          ) : (
            <span title={formatMomentName(point)} className="group grid size-8 place-items-center">
              {face}
              <span className="sr-only">{formatMomentName(point)}</span>
            </span>
          )
        }
      />
    </div>
  )
}

function getJourneyRoute(source: Exclude<FrameJourney['source'], { kind: 'sample' }>, id: string): string {
  return source.kind === 'own'
    ? `/keeper/${encodeURIComponent(source.keeperId)}/journeys${getJourneyPagePath(id)}`
    : `/root/domain/${encodeURIComponent(source.domainId)}/journeys/${encodeURIComponent(id)}`
}
