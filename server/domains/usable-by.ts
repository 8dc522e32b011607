import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { peopleOpenTo } from './people-of-domains.ts'

type Made = 'agent_classes' | 'engagement_templates' | 'keeper_types' | 'memory_patterns'

/** Which of the things that people make a person may use: the system's, their own, and those of people who are open to them by a domain. */
export function usableBy(db: Database, table: Made, personId: string): Expression<SqlBool> {
  const where = expressionBuilder<Schema, Made>()
  return where.or([
    where(`${table}.system`, '=', true),
    where(`${table}.owner_id`, '=', personId),
    where(`${table}.owner_id`, 'in', peopleOpenTo(db, personId)),
  ])
}

/** @throws Problem 403 where it is the system's or somebody else's: that they may use, and change a copy of it */
export function refuseUnlessOwn(
  row: { system: boolean; owner_id: string | null },
  person: Pick<Person, 'id'>,
  what: 'class' | 'pattern' | 'template',
): void {
  if (row.system)
    throw new Problem('forbidden', { message: `This ${what} comes with Keeper. Duplicate it, and change the copy.` })
  if (row.owner_id !== person.id)
    throw new Problem('forbidden', {
      message: `Only the person who made this ${what} may change it. Duplicate it, and change the copy.`,
    })
}
