import { type Bead, journeys, type Path, type Waypoint } from '#contract/keepers/journeys.ts'
import { HistoryDialog } from '#web/offline/history-dialog.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { asItWas } from './waypoint-list.ts'

interface PathHistoryProps {
  path: Path
  beads: ReadonlyMap<string, Bead>
  write: KeeperWrite
  onClose: () => void
}

/** Shows earlier versions of a path, and restores one as a whole with its removed waypoints. */
export function PathHistory({ path, beads, write, onClose }: PathHistoryProps) {
  function bringBack({ title, waypoints }: Record<string, unknown>) {
    const body = {
      title: String(title),
      waypoints: asItWas(waypointsIn(waypoints), path.waypoints, (momentId) => beads.has(momentId)),
    }
    return write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: path.rev }, 'Path')
  }

  return (
    <HistoryDialog
      open
      entity="path"
      id={path.id}
      current={{ ...path }}
      textOf={textOf}
      onRestore={bringBack}
      onOpenChange={(open) => !open && onClose()}
    />
  )
}

const waypointsIn = (value: unknown) => (Array.isArray(value) ? (value as Waypoint[]) : [])

function textOf({ title, waypoints }: Record<string, unknown>): string {
  const told = waypointsIn(waypoints).map((waypoint) => [waypoint.title, waypoint.note].filter(Boolean).join('\n'))
  return [String(title ?? ''), ...told].join('\n\n')
}
