import { useMemo } from 'react'
import { journeys, type Path, type Waypoint } from '#contract/keepers/journeys.ts'
import { getConflict } from '#web/offline/conflict-dialog.tsx'
import { createClientId } from '#web/offline/create-client-id.ts'
import { applyPendingWrites, type PendingWrite } from '#web/offline/pending-write.ts'
import type { SendResult } from '#web/offline/send-or-queue.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { getCurrentQueue } from '#web/offline/write-queue.ts'
import type { KeeperWrite } from '../use-keeper-write.ts'
import type { WaypointChange } from './waypoint-list.ts'

const applyWrites = (path: Path, writes: readonly PendingWrite[]): Path =>
  applyPendingWrites(path, writes, {
    waypoints: (writtenWaypoints: Partial<Waypoint>[]) =>
      writtenWaypoints.map((fields) => ({
        id: createClientId(),
        title: '',
        note: '',
        dueOn: null,
        doneAt: null,
        momentIds: [],
        ...fields,
      })),
  })

/** Paths with queued writes applied, so that the next edit builds on the last one. */
export function usePathsWithPendingWrites(keeperId: string, paths: readonly Path[]): Path[] {
  const writes = usePendingWrites(keeperId)
  return useMemo(() => paths.map((path) => applyWrites(path, writes)), [paths, writes])
}

// Offline edits build on each other: each queued list of waypoints includes the ones before it.
async function applyQueuedWrites(path: Path): Promise<Path> {
  const queue = getCurrentQueue()
  await queue?.load()
  return applyWrites(path, queue?.getWrites() ?? [])
}

/**
 * Saves the whole list, so that queued lists build on each other. After a concurrent save, applies the change again.
 * @throws ApiError `stale` with both versions, after the last attempt
 */
export async function saveWaypoints(
  write: KeeperWrite,
  path: Path,
  change: WaypointChange,
  { maxAttempts = 4 } = {},
): Promise<SendResult<Path> | undefined> {
  let currentPath = await applyQueuedWrites(path)
  for (let attempt = 1; ; attempt++) {
    try {
      const body = { waypoints: change(currentPath.waypoints) }
      return await write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: currentPath.rev }, 'Path')
    } catch (reason) {
      const conflict = getConflict<Path>(reason)
      if (!conflict || attempt === maxAttempts) throw reason
      currentPath = conflict.current
    }
  }
}
