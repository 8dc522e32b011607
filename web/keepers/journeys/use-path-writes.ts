import { journeys, type Path } from '#contract/keepers/journeys.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import type { WaypointChange } from './waypoint-list.ts'

const tries = 4

/**
 * Saves a change of a path's waypoints. When somebody saved the path meanwhile, the change is made on what is there now,
 * unless `overlaps` says that it would overwrite what they wrote.
 * @throws ApiError `stale` with both versions when it would
 */
export async function saveWaypoints(
  write: KeeperWrite,
  path: Path,
  change: WaypointChange,
  overlaps: (current: Path) => boolean = () => false,
): Promise<void> {
  let present = path
  for (let attempt = 1; ; attempt++) {
    try {
      const body = { waypoints: change(present.waypoints) }
      await write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: present.rev }, 'Path')
      return
    } catch (reason) {
      const conflict = conflictOf<Path>(reason)
      if (!conflict || overlaps(conflict.current) || attempt === tries) throw reason
      present = conflict.current
    }
  }
}
