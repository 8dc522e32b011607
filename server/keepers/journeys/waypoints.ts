import type { PathState, Waypoint } from '#contract/keepers/journeys.ts'
import type { Write } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { PathRow } from './paths.ts'

interface WaypointInput {
  id?: string | undefined
  title: string
  note?: string | undefined
  dueOn?: string | null | undefined
  doneAt?: string | null | undefined
  momentIds?: string[] | undefined
}

export async function loadWaypoints({ db }: Services, pathIds: readonly string[]): Promise<Map<string, Waypoint[]>> {
  if (pathIds.length === 0) return new Map()
  const [rows, links] = await Promise.all([
    db.selectFrom('waypoints').selectAll().where('path_id', 'in', pathIds).orderBy('position').orderBy('id').execute(),
    db
      .selectFrom('waypoint_moments')
      .innerJoin('waypoints', 'waypoints.id', 'waypoint_moments.waypoint_id')
      .innerJoin('moments', 'moments.id', 'waypoint_moments.moment_id')
      .select(['waypoint_moments.waypoint_id', 'waypoint_moments.moment_id'])
      .where('waypoints.path_id', 'in', pathIds)
      .where('moments.deleted_at', 'is', null)
      .orderBy('waypoint_moments.position')
      .execute(),
  ])
  const momentsByWaypoint = Map.groupBy(links, ({ waypoint_id }) => waypoint_id)
  const rowsByPath = Map.groupBy(rows, ({ path_id }) => path_id)
  return new Map(
    [...rowsByPath].map(([pathId, waypoints]) => [
      pathId,
      waypoints.map((row) => ({
        id: row.id,
        title: row.title,
        note: row.note,
        dueOn: row.due_on,
        doneAt: toIsoTimeOrNull(row.done_at),
        momentIds: (momentsByWaypoint.get(row.id) ?? []).map(({ moment_id }) => moment_id),
      })),
    ]),
  )
}

export function normalizeWaypoints(services: Services, input: readonly WaypointInput[]): Waypoint[] {
  const ids = input.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) throw badField('waypoints', 'Send each waypoint only once.')
  return input.map((waypoint) => ({
    id: waypoint.id ?? services.newId(),
    title: waypoint.title,
    note: waypoint.note ?? '',
    dueOn: waypoint.dueOn ?? null,
    doneAt: waypoint.doneAt ? new Date(waypoint.doneAt).toISOString() : null,
    momentIds: [...new Set(waypoint.momentIds)],
  }))
}

/** @throws Problem 422 for waypoints of a path not taken, which stay as they were planned */
export function requireChangeableWaypoints(state: PathState, newState: PathState = state): void {
  if (state !== 'not_taken' || newState !== 'not_taken') return
  const message = 'This path wasn’t taken, so its waypoints can’t be changed. Reopen it to change them.'
  throw new Problem('unprocessable', { message, fields: { waypoints: message } })
}

/** Rows per query: three parameters each stay below the 32,766 of SQLite. */
const batchSize = 5_000

/** Returns the waypoints without deleted moments, for the response; `createWaypointWrites` keeps their links for a restore.
 * @throws Problem 400 for a moment of another keeper or a waypoint id of another path */
export async function requireValidWaypoints(
  { db }: Services,
  path: Pick<PathRow, 'id' | 'keeper_id' | 'owner_id'>,
  waypoints: readonly Waypoint[],
): Promise<Waypoint[]> {
  const momentIds = [...new Set(waypoints.flatMap((waypoint) => waypoint.momentIds))]
  const deletedIds = new Set<string>()
  let existingCount = 0
  for (let offset = 0; offset < momentIds.length; offset += batchSize) {
    const momentRows = await db
      .selectFrom('moments')
      .select(['id', 'deleted_at'])
      .where('id', 'in', momentIds.slice(offset, offset + batchSize))
      .where('keeper_id', '=', path.keeper_id)
      .where('owner_id', '=', path.owner_id)
      .execute()
    existingCount += momentRows.length
    for (const { id, deleted_at } of momentRows) if (deleted_at !== null) deletedIds.add(id)
  }
  if (existingCount < momentIds.length)
    throw badField('waypoints', 'A moment on a waypoint isn’t in this keeper. Remove it and save again.')
  const ids = waypoints.map(({ id }) => id)
  const conflictingRows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('waypoints')
          .select('id')
          .where('id', 'in', ids)
          .where('path_id', '!=', path.id)
          .limit(1)
          .execute()
  if (conflictingRows.length > 0) throw createWaypointIdProblem()
  return waypoints.map((waypoint) => ({
    ...waypoint,
    momentIds: waypoint.momentIds.filter((id) => !deletedIds.has(id)),
  }))
}

export function createWaypointIdProblem(): Problem {
  return badField('waypoints', 'A waypoint’s ID is already in use. Send the waypoint with a new ID.')
}

/** Links to deleted moments stay on remaining waypoints unless `waypoints` lists the moment, there or on another one. */
export async function createWaypointWrites(
  { db }: Services,
  pathId: string,
  waypoints: readonly Waypoint[],
): Promise<Write[]> {
  const deletedLinks = await db
    .selectFrom('waypoint_moments')
    .innerJoin('waypoints', 'waypoints.id', 'waypoint_moments.waypoint_id')
    .innerJoin('moments', 'moments.id', 'waypoint_moments.moment_id')
    .select(['waypoint_moments.waypoint_id', 'waypoint_moments.moment_id'])
    .where('waypoints.path_id', '=', pathId)
    .where('moments.deleted_at', 'is not', null)
    .execute()
  const listedIds = new Set(waypoints.flatMap(({ momentIds }) => momentIds))
  const unlistedLinks = deletedLinks.filter(({ moment_id }) => !listedIds.has(moment_id))
  const links = waypoints.flatMap(({ id, momentIds }) => {
    const deletedMomentIds = unlistedLinks
      .filter(({ waypoint_id }) => waypoint_id === id)
      .map(({ moment_id }) => moment_id)
    return [...momentIds, ...deletedMomentIds].map((moment_id, position) => ({
      waypoint_id: id,
      moment_id,
      position,
    }))
  })
  const clearWrite = db.deleteFrom('waypoints').where('path_id', '=', pathId)
  if (waypoints.length === 0) return [clearWrite]
  const rows = waypoints.map((waypoint, position) => ({
    id: waypoint.id,
    path_id: pathId,
    title: waypoint.title,
    note: waypoint.note,
    due_on: waypoint.dueOn,
    done_at: waypoint.doneAt === null ? null : Date.parse(waypoint.doneAt),
    position,
  }))
  const writes: Write[] = [clearWrite, db.insertInto('waypoints').values(rows)]
  for (let offset = 0; offset < links.length; offset += batchSize)
    writes.push(db.insertInto('waypoint_moments').values(links.slice(offset, offset + batchSize)))
  return writes
}
