import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { selectPeopleVisibleTo } from './people-of-domains.ts'

type OwnedTable = 'agent_classes' | 'engagement_templates' | 'keeper_types' | 'memory_patterns'

export function whereUsableBy(db: Database, table: OwnedTable, personId: string): Expression<SqlBool> {
  const where = expressionBuilder<Schema, OwnedTable>()
  return where.or([
    where(`${table}.system`, '=', true),
    where(`${table}.owner_id`, '=', personId),
    where(`${table}.owner_id`, 'in', selectPeopleVisibleTo(db, personId)),
  ])
}

/** @throws Problem 403 for system and other people's entities, which can be duplicated instead */
export function requireOwnEntity(
  row: { system: boolean; owner_id: string | null },
  person: Pick<Person, 'id'>,
  kind: 'class' | 'pattern' | 'template',
): void {
  if (row.system)
    throw new Problem('forbidden', { message: `This ${kind} comes with Keeper. Duplicate it to change the copy.` })
  if (row.owner_id !== person.id)
    throw new Problem('forbidden', {
      message: `Only the person who created this ${kind} can change it. Duplicate it to change the copy.`,
    })
}
