import { sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import { peopleWhoSee } from '#server/domains/people-of-domains.ts'
import type { Services } from '#server/services.ts'
import { meantBy, type PatternRow, remembersIn, visiblePatterns } from './visible-patterns.ts'

export interface Meaning {
  ownerId: string
  said: string
  /** Whether at least one of the keepers is undeleted. */
  living: boolean
}

/** Owners whose keepers refer to this pattern: the person, and domain members for whom the name resolves to it. */
export async function whoMeans(services: Services, person: Pick<Person, 'id'>, row: PatternRow): Promise<Meaning[]> {
  const { db } = services
  // Only candidates; the visible patterns of each decide.
  const oneself = db.selectNoFrom(sql<string>`cast(${person.id} as text)`.as('id'))
  const them = peopleWhoSee(db, person.id).union(oneself)
  const keepers = await db.longRead(
    db
      .selectFrom(them.as('them'))
      .innerJoin('keepers', 'keepers.owner_id', 'them.id')
      .select(['owner_id', 'memory_pattern', ({ fn }) => fn.count<number | string>(livingId).as('living')])
      .groupBy(['owner_id', 'memory_pattern']),
  )
  const saying = keepers.filter(({ memory_pattern }) => remembersIn(memory_pattern, row))
  const found: Meaning[] = []
  for (const [ownerId, theirs] of Map.groupBy(saying, ({ owner_id }) => owner_id)) {
    const visible = await visiblePatterns(services, { id: ownerId })
      .clearSelect()
      .select(['memory_patterns.id', 'owner_id', 'slug', 'name'])
      .execute()
    for (const { memory_pattern: said, living } of theirs)
      if (meantBy(said, ownerId, visible)?.id === row.id) found.push({ ownerId, said, living: Number(living) > 0 })
  }
  return found
}

const livingId = sql<string>`case when keepers.deleted_at is null then keepers.id end`
