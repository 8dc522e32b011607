import type { Write } from '#server/db/database.ts'
import { assertKeepable } from '#server/http/request-body.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { ArchivedPath } from './archive-format.ts'
import type { Here } from './entry-from-archive.ts'

/** The paths of a journey with their waypoints, and the moments that hang on them. */
export function pathWrites(
  { db }: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  journeyId: string,
  paths: readonly ArchivedPath[],
  idOf: (kind: string, origin: string) => string,
  here: Here,
): Write[] {
  assertKeepable(paths)
  return paths.flatMap((path, position) => {
    const pathId = idOf('path', `${journeyId} ${position}`)
    const row = db
      .insertInto('paths')
      .values({
        id: pathId,
        keeper_id: keeper.id,
        owner_id: keeper.owner_id,
        journey_id: journeyId,
        title: path.title.slice(0, 120) || 'Path',
        state: path.state,
        position,
        created_at: Date.parse(path.createdAt),
        updated_at: Date.parse(path.updatedAt),
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
    const waypoints = path.waypoints.flatMap((waypoint, place): Write[] => {
      const id = idOf('waypoint', `${pathId} ${place}`)
      const moments = [...new Set(waypoint.moments.flatMap((origin) => here('moment', origin) ?? []))]
      return [
        db
          .insertInto('waypoints')
          .values({
            id,
            path_id: pathId,
            title: waypoint.title.slice(0, 120) || 'Waypoint',
            note: waypoint.note.slice(0, 5000),
            due_on: waypoint.dueOn,
            done_at: waypoint.doneAt === null ? null : Date.parse(waypoint.doneAt),
            position: place,
          })
          .onConflict((conflict) => conflict.doNothing()),
        ...moments.map((momentId, order) =>
          db
            .insertInto('waypoint_moments')
            .values({ waypoint_id: id, moment_id: momentId, position: order })
            .onConflict((conflict) => conflict.doNothing()),
        ),
      ]
    })
    return [row, ...waypoints]
  })
}
