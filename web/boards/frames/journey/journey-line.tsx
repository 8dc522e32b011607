import { Link } from 'react-router'
import { journeyAddress, momentAddress } from '#web/keepers/journeys/journey-addresses.ts'
import { statusLabels } from '#web/keepers/journeys/journey-list.tsx'
import { beadName, RiverLine } from '#web/keepers/journeys/river-line.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { quietLink } from '#web/ui/quiet-link.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { type JourneyOfFrame, OfJourney } from './of-journey.tsx'

export function JourneyLineFrame(props: FrameBodyProps) {
  return <OfJourney {...props}>{(found) => <Line {...found} />}</OfJourney>
}

function Line({ journey, whose }: JourneyOfFrame) {
  const over = journey.status === 'completed'
  return (
    <div className="flex flex-col gap-2.5 p-3">
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h4 className="min-w-0 font-serif text-h3 wrap-anywhere">{journey.title}</h4>
        <Badge tone={over ? 'success' : journey.status === 'active' ? 'info' : 'neutral'}>
          {statusLabels[journey.status]}
        </Badge>
        {whose.kind !== 'sample' && (
          <Link to={journeyPlace(whose, journey.id)} className={`${quietLink} ms-auto`}>
            Open the journey
          </Link>
        )}
      </header>
      <RiverLine
        journey={journey}
        showBead={(bead, face) =>
          whose.kind === 'own' ? (
            <Link
              to={momentAddress(whose.keeperId, bead)}
              title={beadName(bead)}
              aria-label={beadName(bead)}
              className="group grid size-8 place-items-center rounded-full"
            >
              {face}
            </Link>
          ) : (
            <span title={beadName(bead)} className="group grid size-8 place-items-center">
              {face}
              <span className="sr-only">{beadName(bead)}</span>
            </span>
          )
        }
      />
    </div>
  )
}

function journeyPlace(whose: Exclude<JourneyOfFrame['whose'], { kind: 'sample' }>, id: string): string {
  return whose.kind === 'own'
    ? `/keeper/${encodeURIComponent(whose.keeperId)}/journeys${journeyAddress(id)}`
    : `/root/domain/${encodeURIComponent(whose.domainId)}/journeys/${encodeURIComponent(id)}`
}
