import type * as z from 'zod/mini'
import type { journeys, Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { createEntry } from '../entries/create-entry.ts'
import { findEntryFor, requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { toPath, toPathWithWaypoints } from './journey-view.ts'
import { listPathsOfJourney, type PathRow, requirePathFor } from './require-path.ts'
import {
  createWaypointIdProblem,
  createWaypointWrites,
  loadWaypoints,
  normalizeWaypoints,
  requireChangeableWaypoints,
  requireValidWaypoints,
} from './waypoints.ts'

type NewPath = z.output<NonNullable<typeof journeys.createPath.body>>
type PathChanges = z.output<NonNullable<typeof journeys.updatePath.body>>

export async function createPath(services: Services, person: Person, journeyId: string, body: NewPath): Promise<Path> {
  const journey = await requireEntryFor(services, person, 'journey', journeyId)
  const existing = body.id === undefined ? undefined : await findEntryFor(services, person, 'path', body.id)
  if (existing?.journey_id === journey.id) return toPathWithWaypoints(services, existing)
  const id = body.id ?? services.newId()
  const waypoints = normalizeWaypoints(services, body.waypoints ?? [])
  await requireValidWaypoints(services, { ...journey, id }, waypoints)
  const lastPosition = (await listPathsOfJourney(services, journey.id)).at(-1)?.position ?? -1
  const writes = waypoints.length > 0 ? await createWaypointWrites(services, id, waypoints) : []
  const row = await createEntry(
    services,
    { id: journey.keeper_id, owner_id: journey.owner_id },
    {
      entity: 'path',
      id,
      values: { journey_id: journey.id, title: body.title, state: body.state ?? 'open', position: lastPosition + 1 },
      extraWrites: () => writes,
    },
  )
  return toPathWithWaypoints(services, row)
}

/** Replaces all waypoints. @throws Problem 404; 400 for a foreign moment; 422 for a path not taken; `stale` */
export async function updatePath(
  services: Services,
  person: Person,
  id: string,
  body: PathChanges,
  ifMatch: number | null,
): Promise<Path> {
  await requirePathFor(services, person, id)
  const newWaypoints = body.waypoints && normalizeWaypoints(services, body.waypoints)
  let loadedPath: PathRow | undefined
  let previousWaypoints: Waypoint[] = []
  let visibleWaypoints = newWaypoints
  const save = () =>
    saveEntry(services, person, {
      entity: 'path',
      id,
      ifMatch,
      async changes(path) {
        loadedPath = path
        previousWaypoints = (await loadWaypoints(services, [id])).get(id) ?? []
        if (newWaypoints) {
          requireChangeableWaypoints(path.state, body.state)
          visibleWaypoints = await requireValidWaypoints(services, path, newWaypoints)
        }
        return {
          ...(body.title !== undefined && { title: body.title }),
          ...(body.state !== undefined && { state: body.state }),
        }
      },
      extraWrites: async (path) => [
        ...(newWaypoints ? await createWaypointWrites(services, id, newWaypoints) : []),
        ...(body.position === undefined ? [] : await createMoveWrites(services, path, body.position)),
      ],
      // Only the loaded row has the previous waypoints.
      view: (viewedRow) =>
        toPath(viewedRow, viewedRow === loadedPath ? previousWaypoints : (visibleWaypoints ?? previousWaypoints)),
    })
  try {
    await save()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw createWaypointIdProblem()
  }
  return toPathWithWaypoints(services, await requirePathFor(services, person, id))
}

async function createMoveWrites(services: Services, row: PathRow, index: number): Promise<Write[]> {
  const otherPaths = (await listPathsOfJourney(services, row.journey_id)).filter(({ id }) => id !== row.id)
  const orderedPaths = otherPaths.toSpliced(Math.min(index, otherPaths.length), 0, row)
  return orderedPaths.map(({ id }, position) => services.db.updateTable('paths').set({ position }).where('id', '=', id))
}
