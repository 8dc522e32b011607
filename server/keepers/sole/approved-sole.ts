import type { Services } from '#server/services.ts'
import { keepsStory } from '../patterns/visible-patterns.ts'

export interface ApprovedSole {
  version: number
  /** Milliseconds. */
  approvedAt: number
  /** Without their quotes: what they quote may have been marked "not for AI" since. */
  statements: { id: string; text: string }[]
}

/**
 * The SOLE of a keeper as a person approved it: the only way its words reach anybody but its readers. Nothing while
 * none was approved, when the keeper lies in the bin, or when it remembers in another way by now.
 */
export async function approvedSole(services: Services, keeperId: string): Promise<ApprovedSole | null> {
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
  if (!row || !(await keepsStory(services, row))) return null
  return {
    version: row.version,
    approvedAt: row.decided_at ?? row.submitted_at,
    statements: row.statements.map(({ id, text }) => ({ id, text })),
  }
}
