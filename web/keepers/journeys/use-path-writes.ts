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

/** Paths with queued writes applied, so that the next edit builds on the last one. */
export function usePathsAsWritten(keeperId: string, paths: readonly Path[]): Path[] {
  const writes = usePendingWrites(keeperId)
  return useMemo(() => paths.map((path) => asShown(path, writes)), [paths, writes])
}

// Offline edits build on each other: each queued list of waypoints includes the ones before it.
async function withWhatWaits(path: Path): Promise<Path> {
  const queue = await ownQueueLater()
  await queue?.load()
  return asShown(path, queue?.pending() ?? [])
}

/**
 * Saves a change to a path's waypoints as a whole list, so that queued lists stay based on each other. After a
 * concurrent save the change is applied to the current version, unless `overlaps` reports that it would overwrite text.
 * @throws ApiError `stale` with both versions on such an overlap
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
