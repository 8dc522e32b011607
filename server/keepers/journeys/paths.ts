import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { journeys, Path, Waypoint } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import { replaceError, UniqueViolation } from '#server/db/database-errors.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createEntry } from '../entries/create-entry.ts'
import { type EntryRow, toRecordFields } from '../entries/entry-tables.ts'
import { findEntryFor, requireEntryFor } from '../entries/require-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { toKeeperRef } from '../keeper-access.ts'
import {
  createWaypointIdProblem,
  createWaypointWrites,
  loadWaypoints,
  normalizeWaypoints,
  requireChangeableWaypoints,
  requireValidWaypoints,
} from './waypoints.ts'

const pathOrder = orderByColumns({ position: 'asc', created_at: 'asc', id: 'asc' }, 'paths')

const momentLinkBytes = 40
const pathBytes = sql<number>`(
  select coalesce(sum(
    octet_length(waypoints.title) + octet_length(waypoints.note)
    + ${sql.lit(momentLinkBytes)} * (select count(*) from waypoint_moments where waypoint_moments.waypoint_id = waypoints.id)
  ), 0) from waypoints where waypoints.path_id = paths.id
)`

interface PathsPage {
  paths: Path[]
  next_cursor: string | null
}

/** In path order. @throws Problem 400 for an invalid cursor */
export async function loadPathsPage(services: Services, journeyId: string, cursor?: string): Promise<PathsPage> {
  const { rows, next_cursor } = await readPage(selectPaths(services, journeyId), {
    ...pathOrder,
    after: parseCursor(cursor, ['number', 'number', 'string']),
    size: pathBytes,
  })
  return { paths: await toPaths(services, rows), next_cursor }
}

/** @throws Problem 404; 400 for an invalid cursor */
export async function listPaths(
  services: Services,
  person: Person,
  journeyId: string,
  cursor?: string,
): Promise<Reply<Path[]>> {
  const journey = await requireEntryFor(services, person, 'journey', journeyId)
  const { paths, next_cursor } = await loadPathsPage(services, journey.id, cursor)
  return new Reply(paths, { extra: { next_cursor } })
}

export type JourneyRow = EntryRow<'journey'>
export type PathRow = EntryRow<'path'>

/** An undeleted path of this person in an undeleted journey. @throws Problem 404 */
export async function requirePathFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<PathRow> {
  const row = await requireEntryFor(services, person, 'path', id)
  if (!(await findEntryFor(services, person, 'journey', row.journey_id)))
    throw new Problem('not-found', { message: 'Path not found' })
  return row
}

function selectPaths({ db }: Pick<Services, 'db'>, journeyId: string) {
  return db.selectFrom('paths').selectAll('paths').where('journey_id', '=', journeyId).where('deleted_at', 'is', null)
}

export function listPathsOfJourney(services: Services, journeyId: string): Promise<PathRow[]> {
  return selectPaths(services, journeyId).orderBy('position').orderBy('created_at').orderBy('id').execute()
}

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
  const row = await createEntry(services, toKeeperRef(journey), {
    entity: 'path',
    id,
    values: { journey_id: journey.id, title: body.title, state: body.state ?? 'open', position: lastPosition + 1 },
    extraWrites: () => writes,
  })
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
  const newWaypoints = body.waypoints && normalizeWaypoints(services, body.waypoints)
  return savePath(services, person, id, ifMatch, async (path, previousWaypoints) => {
    if (newWaypoints) requireChangeableWaypoints(path.state, body.state)
    return {
      columns: { title: body.title, state: body.state },
      waypoints: newWaypoints ? await requireValidWaypoints(services, path, newWaypoints) : previousWaypoints,
      writes: [
        ...(newWaypoints ? await createWaypointWrites(services, id, newWaypoints) : []),
        ...(body.position === undefined ? [] : await createMoveWrites(services, path, body.position)),
      ],
    }
  }).catch(replaceError(UniqueViolation, createWaypointIdProblem))
}

interface PathChange {
  columns: EntryChanges<'path'>
  /** All waypoints after the save. */
  waypoints: Waypoint[]
  writes: Write[]
}

/** Saves a path with its waypoints. @throws Problem 404, `stale` */
export async function savePath(
  services: Services,
  person: Person,
  id: string,
  ifMatch: number | null,
  change: (path: PathRow, waypoints: Waypoint[]) => PathChange | Promise<PathChange>,
): Promise<Path> {
  await requirePathFor(services, person, id)
  let loadedPath: PathRow | undefined
  let previousWaypoints: Waypoint[] = []
  let changed: PathChange = { columns: {}, waypoints: [], writes: [] }
  await saveEntry(services, person, {
    entity: 'path',
    id,
    ifMatch,
    async getChanges(path) {
      loadedPath = path
      previousWaypoints = (await loadWaypoints(services, [id])).get(id) ?? []
      changed = await change(path, previousWaypoints)
      return changed.columns
    },
    extraWrites: () => changed.writes,
    // Only the loaded row has the previous waypoints.
    toView: (row) => toPath(row, row === loadedPath ? previousWaypoints : changed.waypoints),
  })
  return toPathWithWaypoints(services, await requirePathFor(services, person, id))
}

async function createMoveWrites(services: Services, row: PathRow, index: number): Promise<Write[]> {
  const otherPaths = (await listPathsOfJourney(services, row.journey_id)).filter(({ id }) => id !== row.id)
  const orderedPaths = otherPaths.toSpliced(Math.min(index, otherPaths.length), 0, row)
  return orderedPaths.map(({ id }, position) => services.db.updateTable('paths').set({ position }).where('id', '=', id))
}

export async function removePath(services: Services, person: Person, id: string): Promise<void> {
  await requirePathFor(services, person, id)
  await trashEntry(services, person, 'path', id)
}

export function toPath(row: PathRow, waypoints: Waypoint[]): Path {
  return {
    ...toRecordFields(row),
    journeyId: row.journey_id,
    title: row.title,
    state: row.state,
    position: row.position,
    waypoints,
  }
}

export async function toPaths(services: Services, rows: readonly PathRow[]): Promise<Path[]> {
  const waypoints = await loadWaypoints(
    services,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toPath(row, waypoints.get(row.id) ?? []))
}

export async function toPathWithWaypoints(services: Services, row: PathRow): Promise<Path> {
  return (await toPaths(services, [row]))[0] as Path
}
