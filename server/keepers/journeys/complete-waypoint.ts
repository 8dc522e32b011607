import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { onePath, pathView } from './journey-view.ts'
import { type PathRow, requirePathFor } from './require-path.ts'
import { requireChangeableWaypoints, waypointsOf } from './waypoints.ts'

/** @throws Problem 404; 422 on a path not taken; `stale` */
export async function completeWaypoint(
  services: Services,
  person: Person,
  params: { id: string; waypointId: string },
  done: boolean,
  ifMatch: number | null,
): Promise<Path> {
  await requirePathFor(services, person, params.id)
  let present: PathRow | undefined
  let before: Waypoint[] = []
  const doneAt = () => (done ? services.now().getTime() : null)
  await saveEntry(services, person, {
    entity: 'path',
    id: params.id,
    ifMatch,
    async changes(found) {
      present = found
      before = (await waypointsOf(services, [found.id])).get(found.id) ?? []
      if (!before.some(({ id }) => id === params.waypointId))
        throw new Problem('not-found', { message: 'Waypoint not found' })
      requireChangeableWaypoints(found.state, undefined)
      return {}
    },
    along() {
      const waypoint = before.find(({ id }) => id === params.waypointId)
      if ((waypoint?.doneAt !== null) === done) return []
      const write = services.db
        .updateTable('waypoints')
        .set({ done_at: doneAt() })
        .where('id', '=', params.waypointId)
        .where('path_id', '=', params.id)
      return [requireChanges(write)]
    },
    view: (shown) => pathView(shown, shown === present ? before : marked(before, params.waypointId, doneAt())),
  })
  return onePath(services, await requirePathFor(services, person, params.id))
}

const marked = (waypoints: Waypoint[], id: string, doneAt: number | null) =>
  waypoints.map((waypoint) => (waypoint.id === id ? { ...waypoint, doneAt: isoTimeOrNull(doneAt) } : waypoint))
