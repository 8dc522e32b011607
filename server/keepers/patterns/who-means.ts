import { sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import { peopleWhoSee } from '#server/domains/people-of-domains.ts'
import type { Services } from '#server/services.ts'
import { meantBy, type PatternRow, remembersIn, visiblePatterns } from './visible-patterns.ts'

export interface Meaning {
  ownerId: string
  said: string
  /** Whether a keeper that says so lies outside the bin. */
  living: boolean
}

/**
 * Who means this pattern by what their keepers say: oneself, and mates in a domain to whom of all that they see it is
 * this one. What others say and mean otherwise is neither changed nor told.
 */
export async function whoMeans(services: Services, person: Pick<Person, 'id'>, row: PatternRow): Promise<Meaning[]> {
  const { db } = services
  // No more than whom to ask: what each of them sees decides.
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
