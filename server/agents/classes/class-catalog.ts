import { type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { AgentClassEntry, agentClassCalls, ClassDefaults } from '#contract/agents/agent-classes.ts'
import type { AgentClass } from '#contract/agents/agent-constants.ts'
import { coordinatorSettings } from '#contract/agents/model-settings.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  type CatalogKind,
  createCatalogTexts,
  selectVisibleEntries,
  toCommonFields,
  type Viewer,
} from '#server/catalog/catalog.ts'
import { createEntry, insertSystemEntries, requireFreeName } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import { toSlugBase } from '#server/db/insert-with-slug.ts'
import type { Schema } from '#server/db/schema.ts'
import { selectPeopleWhoSee } from '#server/domains/people/people-of-domains.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { selectOpenAgents, selectSharedAgents } from '../agent-access.ts'
import { findUnknownTools } from '../tools/available-tools.ts'

type ClassRow = Selectable<Schema['agent_classes']>

export const agentClassKind: CatalogKind<ClassRow, AgentClassEntry> = {
  table: 'agent_classes',
  noun: 'class',
  texts: createCatalogTexts('Agent class', 'class'),
  longColumns: ['description', 'defaults'],
  find: (services, person, id) =>
    selectVisibleEntries(services, person, 'agent_classes').where('id', '=', id).executeTakeFirst(),
  async toViews(services, rows, person) {
    const counts = await countAgents(services, person)
    return rows.map((row) => ({
      ...toCommonFields(row, person),
      name: row.name,
      base: row.base as AgentClass,
      defaults: row.defaults,
      updatedAt: toIsoTime(row.updated_at),
      _count: {
        Agent: counts
          .filter(({ agent_class, class_slug }) => (row.system ? agent_class === row.base : class_slug === row.slug))
          .reduce((sum, { count }) => sum + Number(count), 0),
      },
    }))
  },
  async beforeUpdate(services, person, updated, previous) {
    if (updated.name !== previous.name) await requireFreeClassName(services, person, updated)
    await refuseUnknownTools(services, person, updated.defaults, previous.defaults)
    return []
  },
  /** Agents of the class's owner, and of people who can see the owner through a domain. */
  async listUses({ db }, person, { slug }) {
    const [agent] = await db.longRead(
      db
        .selectFrom('agents')
        .select('id')
        .where((where) =>
          where.or([where('owner_id', '=', person.id), where('owner_id', 'in', selectPeopleWhoSee(db, person.id))]),
        )
        .where(sql<string | null>`config ->> 'class_slug'`, '=', slug)
        .limit(1),
    )
    const message = 'Agents use this class. Delete them or change their class first.'
    return agent ? [{ rows: db.selectFrom('agents').select('id').where('id', '=', agent.id), message }] : []
  },
}

/** @throws Problem 400 */
export async function createClass(
  services: Services,
  person: Person,
  { name, base, description = '', defaults = {} }: z.output<typeof agentClassCalls.create.body & {}>,
): Promise<AgentClassEntry> {
  await requireFreeClassName(services, person, { name })
  await refuseUnknownTools(services, person, defaults)
  const columns = { name, base, description, defaults, system: false }
  return createEntry(services, person, agentClassKind, { slug: toSlugBase(name), columns })
}

const requireFreeClassName = (services: Services, person: Person, { id, name }: { id?: string; name: string }) =>
  requireFreeName(services, person, {
    table: 'agent_classes',
    noun: 'class',
    isTaken: (other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase(),
  })

async function refuseUnknownTools(
  services: Services,
  person: Person,
  { tools = [] }: ClassDefaults,
  previous: ClassDefaults = {},
): Promise<void> {
  const unknown = await findUnknownTools(services, person, tools, previous.tools)
  if (unknown) throw badField('defaults.tools', unknown.message)
}

/** Counted in the database, because the number of public agents is unlimited. */
async function countAgents({ db }: Services, person: Viewer) {
  const classSlug = sql<string | null>`agents.config ->> 'class_slug'`
  const countColumns = ['agents.agent_class', classSlug.as('class_slug'), sql<number>`count(*)`.as('count')] as const
  const visibleAgents = [
    selectOpenAgents(db, person.id),
    selectSharedAgents(db, person.id).where('agents.owner_id', '!=', person.id),
  ]
  const counts = visibleAgents.map((agents) =>
    agents.clearSelect().select(countColumns).groupBy(['agents.agent_class', classSlug]).execute(),
  )
  return (await Promise.all(counts)).flat()
}

const systemClasses: { base: AgentClass; description: string; defaults: ClassDefaults }[] = [
  {
    base: 'Standard',
    description: 'Does one thing well, on request or when another agent delegates to it.',
    defaults: { model_provider: 'openai', context_scope: 'user_input', visibility: 'private' },
  },
  {
    base: 'Coordinator',
    description: 'Splits a task among the agents in its bundle and combines their answers.',
    defaults: {
      model_provider: 'openai',
      model_settings: coordinatorSettings,
      context_scope: 'user_input',
      visibility: 'private',
    },
  },
  {
    base: 'Lead',
    description: 'Has its own page where people talk to it.',
    defaults: { model_provider: 'openai', context_scope: 'user_input', visibility: 'private' },
  },
  {
    base: 'Persona',
    description: 'Will speak as a specific person. Coming soon: no agent can have this class yet.',
    defaults: {},
  },
]

export const insertSystemClasses = (services: Services): Write[] =>
  insertSystemEntries(
    services,
    'agent_classes',
    systemClasses.map((entry) => ({ ...entry, slug: entry.base.toLowerCase(), name: entry.base })),
  )
