import type * as z from 'zod/mini'
import type { journeys, Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { findEntryFor, requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { onePath, pathView } from './journey-view.ts'
import { type PathRow, pathsOfJourney, requirePathFor } from './require-path.ts'
import {
  requireChangeableWaypoints,
  requireWaypointsToFit,
  tidyWaypoints,
  waypointIdTaken,
  waypointsOf,
  waypointWrites,
} from './waypoints.ts'

type NewPath = z.output<NonNullable<typeof journeys.createPath.body>>
type PathChanges = z.output<NonNullable<typeof journeys.updatePath.body>>

/** Appends a path. Idempotent by id. */
export async function createPath(services: Services, person: Person, journeyId: string, body: NewPath): Promise<Path> {
  const journey = await requireEntryFor(services, person, 'journey', journeyId)
  const known = body.id === undefined ? undefined : await findEntryFor(services, person, 'path', body.id)
  if (known?.journey_id === journey.id) return onePath(services, known)
  const id = body.id ?? services.newId()
  const waypoints = tidyWaypoints(services, body.waypoints ?? [])
  await requireWaypointsToFit(services, { ...journey, id }, waypoints)
  const last = (await pathsOfJourney(services, journey.id)).at(-1)?.position ?? -1
  const writes = waypoints.length > 0 ? await waypointWrites(services, id, waypoints) : []
  const row = await makeEntry(
    services,
    { id: journey.keeper_id, owner_id: journey.owner_id },
    {
      entity: 'path',
      id,
      values: { journey_id: journey.id, title: body.title, state: body.state ?? 'open', position: last + 1 },
      along: () => writes,
    },
  )
  return onePath(services, row)
}

/** Replaces the whole list of waypoints. @throws Problem 404; 400 for a foreign moment; 422 for a path not taken;
 * `stale` */
export async function updatePath(
  services: Services,
  person: Person,
  id: string,
  body: PathChanges,
  ifMatch: number | null,
): Promise<Path> {
  await requirePathFor(services, person, id)
  const sent = body.waypoints && tidyWaypoints(services, body.waypoints)
  let present: PathRow | undefined
  let before: Waypoint[] = []
  let shownOfSent = sent
  const save = () =>
    saveEntry(services, person, {
      entity: 'path',
      id,
      ifMatch,
      async changes(found) {
        present = found
        before = (await waypointsOf(services, [id])).get(id) ?? []
        if (sent) {
          requireChangeableWaypoints(found.state, body.state)
          shownOfSent = await requireWaypointsToFit(services, found, sent)
        }
        return {
          ...(body.title !== undefined && { title: body.title }),
          ...(body.state !== undefined && { state: body.state }),
        }
      },
      along: async (found) => [
        ...(sent ? await waypointWrites(services, id, sent) : []),
        ...(body.position === undefined ? [] : await moveWrites(services, found, body.position)),
      ],
      // Only the loaded row has the previous waypoints.
      view: (shown) => pathView(shown, shown === present ? before : (shownOfSent ?? before)),
    })
  try {
    await save()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw waypointIdTaken()
  }
  return onePath(services, await requirePathFor(services, person, id))
}

/** Reorders the paths of the journey. */
async function moveWrites(services: Services, row: PathRow, place: number): Promise<Write[]> {
  const others = (await pathsOfJourney(services, row.journey_id)).filter(({ id }) => id !== row.id)
  const order = others.toSpliced(Math.min(place, others.length), 0, row)
  return order.map(({ id }, position) => services.db.updateTable('paths').set({ position }).where('id', '=', id))
}
