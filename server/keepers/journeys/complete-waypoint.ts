import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { toPath, toPathWithWaypoints } from './journey-view.ts'
import { type PathRow, requirePathFor } from './require-path.ts'
import { loadWaypoints, requireChangeableWaypoints } from './waypoints.ts'

/** @throws Problem 404; 422 on a path not taken; `stale` */
export async function completeWaypoint(
  services: Services,
  person: Person,
  params: { id: string; waypointId: string },
  isDone: boolean,
  ifMatch: number | null,
): Promise<Path> {
  await requirePathFor(services, person, params.id)
  let loadedPath: PathRow | undefined
  let previousWaypoints: Waypoint[] = []
  const getDoneAt = () => (isDone ? services.now().getTime() : null)
  await saveEntry(services, person, {
    entity: 'path',
    id: params.id,
    ifMatch,
    async changes(path) {
      loadedPath = path
      previousWaypoints = (await loadWaypoints(services, [path.id])).get(path.id) ?? []
      if (!previousWaypoints.some(({ id }) => id === params.waypointId))
        throw new Problem('not-found', { message: 'Waypoint not found' })
      requireChangeableWaypoints(path.state, undefined)
      return {}
    },
    extraWrites() {
      const waypoint = previousWaypoints.find(({ id }) => id === params.waypointId)
      if ((waypoint?.doneAt !== null) === isDone) return []
      const write = services.db
        .updateTable('waypoints')
        .set({ done_at: getDoneAt() })
        .where('id', '=', params.waypointId)
        .where('path_id', '=', params.id)
      return [requireChanges(write)]
    },
    view: (row) =>
      toPath(
        row,
        row === loadedPath ? previousWaypoints : withDoneAt(previousWaypoints, params.waypointId, getDoneAt()),
      ),
  })
  return toPathWithWaypoints(services, await requirePathFor(services, person, params.id))
}

const withDoneAt = (waypoints: Waypoint[], id: string, doneAt: number | null) =>
  waypoints.map((waypoint) => (waypoint.id === id ? { ...waypoint, doneAt: toIsoTimeOrNull(doneAt) } : waypoint))
