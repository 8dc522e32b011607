import { type JourneyPoint, journeys, type Path, type Waypoint } from '#contract/keepers/journeys.ts'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { restoreWaypoints } from './waypoint-list.ts'

interface PathHistoryProps {
  path: Path
  momentsById: ReadonlyMap<string, JourneyPoint>
  write: KeeperWrite
  onClose: () => void
}

/** Shows earlier versions of a path, and restores one as a whole with its removed waypoints. */
export function PathHistory({ path, momentsById, write, onClose }: PathHistoryProps) {
  function restoreVersion({ title, waypoints }: Record<string, unknown>) {
    const body = {
      title: String(title),
      waypoints: restoreWaypoints(toWaypoints(waypoints), path.waypoints, (momentId) => momentsById.has(momentId)),
    }
    return write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: path.rev }, 'Path')
  }

  return (
    <HistoryDialog
      open
      entity="path"
      id={path.id}
      current={{ ...path }}
      getText={toHistoryText}
      onRestore={restoreVersion}
      onOpenChange={(open) => !open && onClose()}
    />
  )
}

const toWaypoints = (value: unknown) => (Array.isArray(value) ? (value as Waypoint[]) : [])

function toHistoryText({ title, waypoints }: Record<string, unknown>): string {
  const waypointTexts = toWaypoints(waypoints).map((waypoint) =>
    [waypoint.title, waypoint.note].filter(Boolean).join('\n'),
  )
  return [String(title ?? ''), ...waypointTexts].join('\n\n')
}
