import { useMemo } from 'react'
import { journeys, type Path, type Waypoint } from '#contract/keepers/journeys.ts'
import { conflictOf } from '#web/offline/conflict-dialog.tsx'
import { newClientId } from '#web/offline/new-client-id.ts'
import { type PendingWrite, usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { ownQueueLater } from '#web/offline/whose-browser.ts'
import { withWaiting } from '#web/offline/with-waiting.ts'
import type { KeeperWrite } from '../use-keeper-write.ts'
import type { WaypointChange } from './waypoint-list.ts'

const tries = 4

const asShown = (path: Path, writes: readonly PendingWrite[]): Path =>
  withWaiting(path, writes, {
    waypoints: (written: Partial<Waypoint>[]) =>
      written.map((each) => ({
        ...{ id: newClientId(), title: '', note: '', dueOn: null, doneAt: null, momentIds: [] },
        ...each,
      })),
  })

/** Paths as they will be once what waits is sent: whoever changes one again begins with their own last words. */
export function usePathsAsWritten(keeperId: string, paths: readonly Path[]): Path[] {
  const writes = usePendingWrites(keeperId)
  return useMemo(() => paths.map((path) => asShown(path, writes)), [paths, writes])
}

/** Written without the server, one after the other, each list of waypoints holds those before it. */
async function withWhatWaits(path: Path): Promise<Path> {
  const queue = await ownQueueLater()
  await queue?.load()
  return asShown(path, queue?.pending() ?? [])
}

/**
 * Saves a change of a path's waypoints, also a tick: a call of its own would leave the lists that wait behind it on an old
 * revision, and without it. When somebody saved the path meanwhile, the change is made on what is there now,
 * unless `overlaps` says that it would overwrite what they wrote.
 * @throws ApiError `stale` with both versions when it would
 */
export async function saveWaypoints(
  write: KeeperWrite,
  path: Path,
  change: WaypointChange,
  overlaps: (current: Path) => boolean = () => false,
): ReturnType<KeeperWrite> {
  let present = await withWhatWaits(path)
  for (let attempt = 1; ; attempt++) {
    try {
      const body = { waypoints: change(present.waypoints) }
      return await write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: present.rev }, 'Path')
    } catch (reason) {
      const conflict = conflictOf<Path>(reason)
      if (!conflict || overlaps(conflict.current) || attempt === tries) throw reason
      present = conflict.current
    }
  }
}
