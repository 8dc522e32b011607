import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { WaypointHeading } from '#web/keepers/journeys/path-card.tsx'
import { saveWaypoints, usePathsWithPendingWrites } from '#web/keepers/journeys/use-path-writes.ts'
import { setReached } from '#web/keepers/journeys/waypoint-list.ts'
import { getPigmentInk } from '#web/keepers/pigments.ts'
import { useKeeperWrite } from '#web/keepers/use-keeper-write.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { useReplayDay } from '../../entity/journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { toReasonText } from '../frame-query.tsx'
import { type FrameJourney, getFrameJourneyKey, WithJourney } from './with-journey.tsx'

const pathStateLabels: Record<Path['state'], string | null> = { taken: null, open: 'Open', not_taken: 'Not taken' }

export function JourneyWaypointsFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyWaypointList {...resolvedJourney} />}</WithJourney>
}

function JourneyWaypointList({ journey, source }: FrameJourney) {
  const canTick = useReplayDay() === null && source.kind === 'own'
  const pathsWithPending = usePathsWithPendingWrites(source.kind === 'own' ? source.keeperId : '', journey.paths)
  const paths = (canTick ? pathsWithPending : journey.paths).filter(({ waypoints }) => waypoints.length > 0)
  const allWaypoints = paths.filter(({ state }) => state !== 'not_taken').flatMap(({ waypoints }) => waypoints)
  const doneCount = allWaypoints.filter(({ doneAt }) => doneAt !== null).length
  if (paths.length === 0) return <FrameNote>No waypoints on this journey yet.</FrameNote>
  return (
    <div className="flex flex-col gap-3 px-3.5 py-3">
      <p className="text-small text-muted-foreground">{`${doneCount} of ${allWaypoints.length} reached`}</p>
      {paths.map((path) => (
        <section key={path.id} aria-label={path.title}>
          <h4 className="flex items-center gap-2 text-ui font-semibold">
            <span className="min-w-0 wrap-anywhere">{path.title}</span>
            {pathStateLabels[path.state] && <Badge tone="outlined">{pathStateLabels[path.state]}</Badge>}
          </h4>
          <ol className="mt-1">
            {path.waypoints.map((waypoint) => (
              <li key={waypoint.id} className="flex items-start gap-2.5 border-t border-hairline py-2 first:border-t-0">
                {canTick && path.state !== 'not_taken' && source.kind === 'own' ? (
                  <WaypointCheckbox journeyId={journey.id} keeperId={source.keeperId} path={path} waypoint={waypoint} />
                ) : (
                  <>
                    <span
                      aria-hidden
                      style={{
                        borderColor: path.state === 'not_taken' ? undefined : getPigmentInk(journey.color),
                        background: waypoint.doneAt ? getPigmentInk(journey.color) : undefined,
                      }}
                      className="mt-1.5 size-3 shrink-0 rounded-full border-2 border-input"
                    />
                    <div className="min-w-0">
                      <WaypointHeading waypoint={waypoint} isNotTaken={path.state === 'not_taken'} />
                    </div>
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

interface WaypointCheckboxProps {
  journeyId: string
  keeperId: string
  path: Path
  waypoint: Waypoint
}

function WaypointCheckbox({ journeyId, keeperId, path, waypoint }: WaypointCheckboxProps) {
  const write = useKeeperWrite(keeperId, false)
  const queryClient = useQueryClient()
  // Optimistic value until the server responds.
  const [pendingValue, setPendingValue] = useState<boolean>()
  const [failure, setFailure] = useState<string>()

  async function updateReached(isReached: boolean) {
    setPendingValue(isReached)
    setFailure(undefined)
    try {
      const result = await saveWaypoints(
        write,
        path,
        setReached(waypoint.id, isReached ? new Date().toISOString() : null),
      )
      if (result?.state === 'sent') await queryClient.invalidateQueries({ queryKey: getFrameJourneyKey(journeyId) })
    } catch (reason) {
      setFailure(toReasonText(reason))
    }
    setPendingValue(undefined)
  }

  return (
    <>
      <Checkbox
        className="mt-0.5"
        label={`${waypoint.title} reached`}
        labelHidden
        checked={pendingValue ?? waypoint.doneAt !== null}
        onCheckedChange={(doneCount) => void updateReached(doneCount)}
      />
      <div className="min-w-0">
        <WaypointHeading waypoint={waypoint} isNotTaken={false} />
        {failure && (
          <p role="alert" className="text-small font-medium text-destructive">
            {failure}
          </p>
        )}
      </div>
    </>
  )
}
