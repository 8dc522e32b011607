import { sql } from 'kysely'
import type { Path } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { toPaths } from './journey-view.ts'
import { selectPaths } from './require-path.ts'

const pathOrder: PageOrder = [
  [sql.ref('paths.position'), 'asc'],
  [sql.ref('paths.created_at'), 'asc'],
  [sql.ref('paths.id'), 'asc'],
]

const pathBytes = sql<number>`(
  select coalesce(sum(
    octet_length(waypoints.title) + octet_length(waypoints.note)
    + 40 * (select count(*) from waypoint_moments where waypoint_moments.waypoint_id = waypoints.id)
  ), 0) from waypoints where waypoints.path_id = paths.id
)`

interface PathsPage {
  paths: Path[]
  next_cursor: string | null
}

/** In path order. @throws Problem 400 for an invalid cursor */
export async function loadPathsPage(services: Services, journeyId: string, cursor?: string): Promise<PathsPage> {
  const { rows, next_cursor } = await readPage(selectPaths(services, journeyId), {
    order: pathOrder,
    after: parseCursor(cursor, [0, 0, '']),
    getPosition: ({ position, created_at, id }) => [position, created_at, id],
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
