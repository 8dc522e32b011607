import { type Selectable, sql } from 'kysely'
import type { AgentClassEntry } from '#contract/agents/agent-classes.ts'
import type { AgentClass } from '#contract/agents/agent-constants.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { requireOwnEntity, whereUsableBy } from '#server/domains/visibility.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { selectOpenAgents, selectSharedAgents } from '../agent-access.ts'

export type ClassRow = Selectable<Schema['agent_classes']>
type ClassViewer = Pick<Person, 'id'>

export function selectVisibleClasses({ db }: Services, person: ClassViewer) {
  return db
    .selectFrom('agent_classes')
    .selectAll('agent_classes')
    .where(whereUsableBy(db, 'agent_classes', person.id))
    .orderBy('agent_classes.system', 'desc')
    .orderBy('agent_classes.created_at')
    .orderBy('agent_classes.id')
}

export async function requireOwnClass(services: Services, person: ClassViewer, id: string): Promise<ClassRow> {
  const row = await selectVisibleClasses(services, person).where('agent_classes.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Agent class not found' })
  requireOwnEntity(row, person, 'class')
  return row
}

export async function toClassViews(
  services: Services,
  rows: readonly ClassRow[],
  person: ClassViewer,
): Promise<AgentClassEntry[]> {
  const counts = await countAgents(services, person)
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    system: row.system,
    mine: row.owner_id === person.id,
    base: row.base as AgentClass,
    defaults: row.defaults,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
    _count: {
      Agent: counts
        .filter(({ agent_class, class_slug }) => (row.system ? agent_class === row.base : class_slug === row.slug))
        .reduce((sum, { count }) => sum + Number(count), 0),
    },
  }))
}

/** Counted in the database, because the number of public agents is unlimited. */
async function countAgents({ db }: Services, person: ClassViewer) {
  const classSlug = sql<string | null>`agents.config ->> 'class_slug'`
  const countColumns = ['agents.agent_class', classSlug.as('class_slug'), sql<number>`count(*)`.as('count')] as const
  const [open, shared] = await Promise.all([
    selectOpenAgents(db, person.id)
      .clearSelect()
      .select(countColumns)
      .groupBy(['agents.agent_class', classSlug])
      .execute(),
    selectSharedAgents(db, person.id)
      .where('agents.owner_id', '!=', person.id)
      .clearSelect()
      .select(countColumns)
      .groupBy(['agents.agent_class', classSlug])
      .execute(),
  ])
  return [...open, ...shared]
}

export async function toClassView(services: Services, row: ClassRow, person: ClassViewer): Promise<AgentClassEntry> {
  const [view] = await toClassViews(services, [row], person)
  if (!view) throw new Error('An agent class has no view')
  return view
}
