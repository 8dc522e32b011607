import type { Selectable } from 'kysely'
import type { SoleStatement, SoleVersion } from '#contract/keepers/sole.ts'
import { type JsonText, json } from '#server/db/database.ts'
import { diffJson, type JsonDelta } from '#server/db/json-delta.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { toSoleDocument } from '../keeper-view.ts'
import { hasStory } from '../patterns/pattern-catalog.ts'

export function findVersion(
  { db }: Services,
  keeperId: string,
  status: 'draft' | 'active',
): Promise<SoleRow | undefined> {
  return db
    .selectFrom('sole_versions')
    .selectAll()
    .where('keeper_id', '=', keeperId)
    .where('status', '=', status)
    .executeTakeFirst()
}

export async function toSoleVersions({ db }: Services, rows: readonly SoleRow[]): Promise<SoleVersion[]> {
  const deciderIds = [...new Set(rows.flatMap(({ decided_by }) => decided_by ?? []))]
  const people =
    deciderIds.length > 0
      ? await db.selectFrom('people').select(['id', 'name']).where('id', 'in', deciderIds).execute()
      : []
  return rows.map((row) => ({
    ...toSoleDocument(row),
    keeperId: row.keeper_id,
    status: row.status,
    authorKind: row.author_kind,
    runId: row.run_id,
    basedOn: row.based_on,
    submittedAt: new Date(row.submitted_at).toISOString(),
    decidedBy: row.decided_by
      ? { id: row.decided_by, name: people.find(({ id }) => id === row.decided_by)?.name ?? null }
      : null,
    decidedAt: toIsoTimeOrNull(row.decided_at),
    reason: row.reason,
    leftOut: row.left_out,
  }))
}

export interface ApprovedSole {
  version: number
  approvedAt: number
  /** Without quotes, whose sources can be marked "not for AI" later. */
  statements: { id: string; text: string }[]
}

/** The only version that leaves the keeper. Null for a deleted keeper, without an approval, or with another pattern. */
export async function getApprovedSole(services: Services, keeperId: string): Promise<ApprovedSole | null> {
  const row = await services.db
    .selectFrom('sole_versions')
    .innerJoin('keepers', 'keepers.id', 'sole_versions.keeper_id')
    .select([
      'keepers.id',
      'keepers.owner_id',
      'keepers.memory_pattern',
      'sole_versions.version',
      'sole_versions.statements',
      'sole_versions.decided_at',
      'sole_versions.submitted_at',
    ])
    .where('sole_versions.keeper_id', '=', keeperId)
    .where('sole_versions.status', '=', 'active')
    .where('keepers.deleted_at', 'is', null)
    .executeTakeFirst()
  return row && (await hasStory(services, row)) ? toApprovedSole(row) : null
}

export function toApprovedSole({
  version,
  statements,
  ...times
}: Pick<SoleRow, 'version' | 'statements' | 'decided_at' | 'submitted_at'>): ApprovedSole {
  return {
    version,
    approvedAt: times.decided_at ?? times.submitted_at,
    statements: statements.map(({ id, text }) => ({ id, text })),
  }
}

type BaseVersion = StoryContent & { version: number }

export function createSettledColumns(
  row: StoryContent,
  base: BaseVersion | undefined,
  { asKept }: { asKept: boolean },
): { statements?: JsonText<SoleStatement[]>; content?: string; difference?: JsonText<VersionDifference> } {
  if (!base) return {}
  const delta = diffJson(toStory(base, asKept), toStory(row, false)) ?? null
  const difference = json({ base: base.version, kept: asKept, delta })
  const savesHalf = difference.length * 2 <= JSON.stringify(toStory(row, false)).length
  return savesHalf ? { statements: json([]), content: '', difference } : {}
}

export type SoleRow = Selectable<Schema['sole_versions']>

export interface VersionDifference {
  base: number
  /** The delta applies to the base with all its statements as `keep`, as a draft repeats them. */
  kept: boolean
  delta: JsonDelta | null
}

export type StoryContent = Pick<SoleRow, 'statements' | 'content'>

export function toStory({ statements, content }: StoryContent, asKept: boolean): StoryContent {
  if (!asKept) return { statements, content }
  return { statements: statements.map((statement) => ({ ...statement, kind: 'keep', replacesId: null })), content }
}
