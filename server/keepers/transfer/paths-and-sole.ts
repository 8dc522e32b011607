import type { SoleStatement } from '#contract/keepers/sole.ts'
import { truncate } from '#contract/truncate.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { ArchivedEntity } from './archive-columns.ts'
import { type ArchivedPath, type ArchivedVersion, createImportedId } from './archive-format.ts'
import type { ResolveId } from './entry-from-archive.ts'
import type { ImportPart, ImportTarget } from './import-plan.ts'

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
    return { kind: 'path', target, journeyId, position, path: { ...path, waypoints } }
  })
}

const maxTitleLength = 120

function createNote({ title, note }: ArchivedPath['waypoints'][number]): string {
  const trimmedTitle = title.trim()
  const overflow = trimmedTitle.slice(truncate(trimmedTitle, maxTitleLength).length)
  return [overflow, note].filter(Boolean).join('\n\n')
}

export function createPathWrites({ db }: Services, { target, journeyId, position, path }: PathPart): Write[] {
  const pathId = createImportedId(target.id, 'path', `${journeyId} ${position}`)
  const pathWrite = db
    .insertInto('paths')
    .values({
      id: pathId,
      keeper_id: target.id,
      owner_id: target.owner_id,
      journey_id: journeyId,
      title: truncate(path.title.trim(), maxTitleLength) || 'Path',
      state: path.state,
      position,
      created_at: Date.parse(path.createdAt),
      updated_at: Date.parse(path.updatedAt),
    })
    .onConflict((conflict) => conflict.doNothing())
  const waypointWrites = path.waypoints.flatMap((waypoint, index): Write[] => {
    const id = createImportedId(target.id, 'waypoint', `${pathId} ${index}`)
    return [
      db
        .insertInto('waypoints')
        .values({
          id,
          path_id: pathId,
          title: truncate(waypoint.title.trim(), maxTitleLength) || 'Waypoint',
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
  return [pathWrite, ...waypointWrites]
}

type SolePart = Extract<ImportPart, { kind: 'sole' }>

const maxTypeLength = 40
const maxContentLength = 200_000
const maxAuthorNameLength = 200
const undecidedReason = 'This version was still undecided when it was exported.'

/**
 * An active version becomes a draft, because no one approved it on this server. If several versions are pending, only
 * one stays pending.
 */
export function createSoleParts(
  target: ImportTarget,
  versions: readonly ArchivedVersion[],
  resolveId: ResolveId,
): SolePart[] {
  const numbered = versions.map((version, index) => ({ ...version, version: version.version || index + 1 }))
  const ordered = [...new Map(numbered.map((version) => [version.version, version])).values()].sort(
    (a, b) => a.version - b.version,
  )
  const pendingVersion =
    ordered.findLast(({ status }) => status === 'active') ?? ordered.findLast(({ status }) => status === 'draft')
  return ordered.map((version) => ({
    kind: 'sole',
    target,
    version: {
      ...version,
      statements: withLocalIds(
        version === pendingVersion ? toUndecided(version.statements) : version.statements,
        resolveId,
      ),
      leftOut: withLocalIds(version.leftOut, resolveId),
    },
    isPending: version === pendingVersion,
  }))
}

export function createSoleWrites({ db }: Services, { target, version, isPending }: SolePart): Write[] {
  const isUndecided = version.status === 'draft' || version.status === 'active'
  const isSuperseded = !isPending && isUndecided
  const decidedStatus = isSuperseded ? 'superseded' : version.status
  return [
    db
      .insertInto('sole_versions')
      .values({
        id: createImportedId(target.id, 'sole', String(version.version)),
        keeper_id: target.id,
        owner_id: target.owner_id,
        version: version.version,
        status: isPending ? 'draft' : decidedStatus,
        type: version.type.slice(0, maxTypeLength),
        content: version.content.slice(0, maxContentLength),
        statements: json(version.statements),
        left_out: json(version.leftOut),
        author_kind: version.authorKind,
        author_name: version.authorName.slice(0, maxAuthorNameLength),
        based_on: version.basedOn,
        submitted_at: Date.parse(version.submittedAt),
        decided_at:
          isPending || version.status === 'draft' || version.decidedAt === null ? null : Date.parse(version.decidedAt),
        reason: isSuperseded ? undecidedReason : version.reason,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

/** Without an earlier version on this server, kept statements become additions and dropped ones are left out. */
function toUndecided(statements: readonly SoleStatement[]): SoleStatement[] {
  return statements
    .filter(({ kind }) => kind !== 'drop')
    .map((statement) => (statement.kind === 'keep' ? { ...statement, kind: 'add' } : statement))
}

function withLocalIds(statements: readonly SoleStatement[], resolveId: ResolveId): SoleStatement[] {
  return statements.map((statement) => ({
    ...statement,
    sources: statement.sources.map((source) => ({
      ...source,
      id: resolveId(source.entity as ArchivedEntity, source.id) ?? source.id,
    })),
  }))
}
