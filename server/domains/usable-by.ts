import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
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
