import { sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import { selectPeopleSeeing } from '#server/domains/people/people-of-domains.ts'
import type { Services } from '#server/services.ts'
import { type PatternRow, queryVisiblePatterns, refersToPattern, resolvePattern } from './visible-patterns.ts'

export interface PatternReference {
  ownerId: string
  reference: string
  isActive: boolean
}

/** Owners whose keepers refer to this pattern: the person, and domain members for whom the name resolves to it. */
export async function findPatternUsers(
  services: Services,
  person: Pick<Person, 'id'>,
  row: PatternRow,
): Promise<PatternReference[]> {
  const { db } = services
  const ownIdQuery = db.selectNoFrom(sql<string>`cast(${person.id} as text)`.as('id'))
  const people = selectPeopleSeeing(db, person.id).union(ownIdQuery)
  const keepers = await db.longRead(
    db
      .selectFrom(people.as('viewer'))
      .innerJoin('keepers', 'keepers.owner_id', 'viewer.id')
      .select(['owner_id', 'memory_pattern', ({ fn }) => fn.count<number | string>(activeKeeperId).as('active_count')])
      .groupBy(['owner_id', 'memory_pattern']),
  )
  const matchingKeepers = keepers.filter(({ memory_pattern }) => refersToPattern(memory_pattern, row))
  const references: PatternReference[] = []
  for (const [ownerId, ownerKeepers] of Map.groupBy(matchingKeepers, ({ owner_id }) => owner_id)) {
    const visiblePatterns = await queryVisiblePatterns(services, { id: ownerId })
      .clearSelect()
      .select(['memory_patterns.id', 'owner_id', 'slug', 'name'])
      .execute()
    for (const { memory_pattern: reference, active_count } of ownerKeepers)
      if (resolvePattern(reference, ownerId, visiblePatterns)?.id === row.id)
        references.push({ ownerId, reference, isActive: Number(active_count) > 0 })
  }
  return references
}

const activeKeeperId = sql<string>`case when keepers.deleted_at is null then keepers.id end`
