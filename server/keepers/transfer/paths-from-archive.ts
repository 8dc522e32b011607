import { truncate } from '#contract/truncate.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { ArchivedPath } from './archive-format.ts'
import type { ResolveId } from './entry-from-archive.ts'
import type { ImportPart, ImportTarget } from './import-plan.ts'
import { createImportedId } from './imported-id.ts'

type PathPart = Extract<ImportPart, { kind: 'path' }>

export function createPathParts(
  target: ImportTarget,
  journeyId: string,
  paths: readonly ArchivedPath[],
  resolveId: ResolveId,
): PathPart[] {
  return paths.map((path, position) => {
    const waypoints = path.waypoints.map((waypoint) => ({
      ...waypoint,
      moments: [...new Set(waypoint.moments.flatMap((origin) => resolveId('moment', origin) ?? []))],
    }))
    return { kind: 'path', into: target, journeyId, position, path: { ...path, waypoints } }
  })
}

const maxTitle = 120

function createNote({ title, note }: ArchivedPath['waypoints'][number]): string {
  const trimmedTitle = title.trim()
  const overflow = trimmedTitle.slice(truncate(trimmedTitle, maxTitle).length)
  return [overflow, note].filter(Boolean).join('\n\n')
}

export function createPathWrites({ db }: Services, { into: target, journeyId, position, path }: PathPart): Write[] {
  const pathId = createImportedId(target.id, 'path', `${journeyId} ${position}`)
  const row = db
    .insertInto('paths')
    .values({
      id: pathId,
      keeper_id: target.id,
      owner_id: target.owner_id,
      journey_id: journeyId,
      title: truncate(path.title.trim(), maxTitle) || 'Path',
      state: path.state,
      position,
      created_at: Date.parse(path.createdAt),
      updated_at: Date.parse(path.updatedAt),
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
  const waypoints = path.waypoints.flatMap((waypoint, index): Write[] => {
    const id = createImportedId(target.id, 'waypoint', `${pathId} ${index}`)
    return [
      db
        .insertInto('waypoints')
        .values({
          id,
          path_id: pathId,
          title: truncate(waypoint.title.trim(), maxTitle) || 'Waypoint',
          note: createNote(waypoint),
          due_on: waypoint.dueOn,
          done_at: waypoint.doneAt === null ? null : Date.parse(waypoint.doneAt),
          position: index,
        })
        .onConflict((conflict) => conflict.doNothing()),
      ...waypoint.moments.map((momentId, order) =>
        db
          .insertInto('waypoint_moments')
          .values({ waypoint_id: id, moment_id: momentId, position: order })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ]
  })
  return [row, ...waypoints]
}
