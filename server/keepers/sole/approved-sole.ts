import type { Services } from '#server/services.ts'
import { hasStory } from '../patterns/visible-patterns.ts'

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
  if (!row || !(await hasStory(services, row))) return null
  return {
    version: row.version,
    approvedAt: row.decided_at ?? row.submitted_at,
    statements: row.statements.map(({ id, text }) => ({ id, text })),
  }
}
