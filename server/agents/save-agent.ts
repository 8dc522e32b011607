import type * as z from 'zod/mini'
import { slugFrom, slugProblem } from '#contract/agents/agent-slug.ts'
import type { AgentClass } from '#contract/agents/agent-words.ts'
import type { Agent, AgentConfig, agentChanges, newAgent } from '#contract/agents/agents.ts'
import { completeSettings, type ModelSettings } from '#contract/agents/model-settings.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findAgentFor, mayEdit, mayRemove, requireAgentFor } from './agent-access.ts'
import type { AgentRow } from './agent-row.ts'
import { agentView } from './agent-view.ts'
import { knownToolNames } from './tools/known-tools.ts'

type NewAgent = z.output<typeof newAgent>
type AgentChanges = z.output<typeof agentChanges>

export async function createAgent(services: Services, person: Person, given: NewAgent): Promise<Agent> {
  const provider = given.model_provider ?? 'openai'
  const agentClass = given.agent_class ?? 'Standard'
  const slug = given.slug || (await freeSlugFor(services, given.name))
  refuseSlug(slug)
  const config = given.config ?? {}
  await refuseWhatCannotRun(services, person, { agentClass, config, tools: given.tools ?? [], slug })
  const now = services.now().getTime()
  const row: AgentRow = {
    id: services.newId(),
    owner_id: person.id,
    slug,
    name: given.name,
    purpose: given.purpose,
    agent_class: agentClass,
    context_scope: given.context_scope ?? 'user_input',
    memory_enabled: given.memory_enabled ?? false,
    tools: namesIn(given.tools),
    permissions: namesIn(given.permissions),
    config,
    status: 'ready',
    model_provider: provider,
    model_settings: completeSettings(provider, withModel(given.model_settings, given.model)),
    visibility: given.visibility ?? 'private',
    created_at: now,
    updated_at: now,
    rev: 1,
    visitors_spend_owner_key: given.visitors_spend_owner_key ?? false,
    visitor_daily_micros: microsOf(given.visitor_daily_usd),
  }
  try {
    await orSlugTaken(() => services.db.insertInto('agents').values(stored(row)).execute())
  } catch (error) {
    // Nobody chose this slug, and somebody was faster with the same name: now that it is taken, another one is made.
    if (!given.slug && error instanceof Problem && error.kind === 'slug-taken')
      return createAgent(services, person, given)
    throw error
  }
  services.live.tell(person.id, { type: 'agents-changed' })
  return agentView(row, person)
}

/**
 * Changes what is given and leaves the rest. A change of provider resets the model settings to that provider's
 * defaults, under whatever settings come along.
 * @throws Problem `stale` with both versions when `ifMatch` is not the present revision.
 */
export async function updateAgent(
  services: Services,
  person: Person,
  changes: AgentChanges,
  ifMatch: number | null,
): Promise<Agent> {
  const before = await requireAgentFor(services, person, changes.id)
  if (!mayEdit(before, person)) throw new Problem('forbidden', { message: 'Only its owner can change this agent.' })
  const provider = changes.model_provider ?? before.model_provider
  const settingsBefore =
    provider === before.model_provider ? before.model_settings : completeSettings(provider, undefined)
  const after: AgentRow = {
    ...before,
    name: changes.name ?? before.name,
    slug: changes.slug || before.slug,
    purpose: changes.purpose ?? before.purpose,
    agent_class: changes.agent_class ?? before.agent_class,
    context_scope: changes.context_scope ?? before.context_scope,
    memory_enabled: changes.memory_enabled ?? before.memory_enabled,
    tools: changes.tools ? namesIn(changes.tools) : before.tools,
    permissions: changes.permissions ? namesIn(changes.permissions) : before.permissions,
    config: changes.config ?? before.config,
    status: changes.status ?? before.status,
    visibility: changes.visibility ?? before.visibility,
    model_provider: provider,
    model_settings: completeSettings(provider, {
      ...settingsBefore,
      ...withModel(changes.model_settings, changes.model),
    }),
    updated_at: services.now().getTime(),
    rev: before.rev + 1,
    visitors_spend_owner_key: changes.visitors_spend_owner_key ?? before.visitors_spend_owner_key,
    visitor_daily_micros:
      changes.visitor_daily_usd === undefined ? before.visitor_daily_micros : microsOf(changes.visitor_daily_usd),
  }
  if (after.slug !== before.slug) refuseSlug(after.slug)
  await refuseWhatCannotRun(services, person, {
    agentClass: after.agent_class,
    config: after.config,
    tools: after.tools,
    slug: after.slug,
  })
  const expected = ifMatch ?? before.rev
  const updated = await orSlugTaken(() =>
    services.db
      .updateTable('agents')
      .set(stored(after))
      .where('id', '=', before.id)
      .where('rev', '=', expected)
      .returning('id')
      .executeTakeFirst(),
  )
  if (!updated) {
    // Without If-Match the last write wins: somebody was faster, so these changes go on top of theirs.
    if (ifMatch === null) return updateAgent(services, person, changes, null)
    const current = await requireAgentFor(services, person, before.id)
    throw new Problem('stale', { data: { yours: agentView(after, person), current: agentView(current, person) } })
  }
  services.live.tell(person.id, { type: 'agents-changed' })
  return agentView(after, person)
}

export async function removeAgent(services: Services, person: Person, idOrSlug: string): Promise<void> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayRemove(agent, person)) {
    throw new Problem('forbidden', {
      message:
        agent.owner_id === null
          ? 'The agents that come with Keeper cannot be deleted.'
          : 'Only its owner can delete this agent.',
    })
  }
  await services.db.deleteFrom('agents').where('id', '=', agent.id).execute()
  services.live.tell(person.id, { type: 'agents-changed' })
}

/** A row as the database takes it. */
export function stored(row: AgentRow) {
  return {
    ...row,
    tools: json(row.tools),
    permissions: json(row.permissions),
    config: json(row.config),
    model_settings: json(row.model_settings),
  }
}

function namesIn(list: string[] | undefined): string[] {
  return [...new Set((list ?? []).map((name) => name.trim()).filter(Boolean))]
}

function withModel(settings: Partial<ModelSettings> | undefined, model: string | undefined): Partial<ModelSettings> {
  return { ...settings, ...(model !== undefined && settings?.model === undefined && { model }) }
}

function microsOf(dollars: number | null | undefined): number | null {
  return dollars === null || dollars === undefined ? null : Math.round(dollars * 1_000_000)
}

function refuseSlug(slug: string): void {
  const problem = slugProblem(slug)
  if (problem) throw badField('slug', problem)
}

async function freeSlugFor(services: Services, name: string): Promise<string> {
  const base = slugFrom(name).slice(0, 54).replace(/-$/, '')
  if (!base) throw badField('slug', 'Enter a slug: this name has no letters or digits to make one from.')
  const taken =
    slugProblem(base) ??
    (await services.db.selectFrom('agents').select('id').where('slug', '=', base).executeTakeFirst())
  return taken ? `${base}-${services.newId().slice(0, 8)}` : base
}

async function orSlugTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes('slug')) {
      throw new Problem('slug-taken', { fields: { slug: 'This slug is taken. Choose another one.' } })
    }
    throw error
  }
}

async function refuseWhatCannotRun(
  services: Services,
  person: Person,
  agent: { agentClass: AgentClass; config: AgentConfig; tools: string[]; slug: string },
): Promise<void> {
  if (agent.agentClass === 'Persona') throw badField('agent_class', 'Persona is coming soon.')
  const knownTools = await knownToolNames(services)
  const unknown = namesIn(agent.tools).filter((tool) => !knownTools.includes(tool))
  if (unknown.length > 0)
    throw badField('tools', `Unknown: ${unknown.join(', ')}. The tools are ${knownTools.join(', ')}.`)
  if (agent.agentClass !== 'Coordinator') return
  const bundle = namesIn(agent.config.bundle)
  if (bundle.length === 0) throw badField('config.bundle', 'A Coordinator needs at least one agent in its bundle.')
  for (const slug of bundle) {
    if (slug === agent.slug) throw badField('config.bundle', 'A Coordinator cannot be in its own bundle.')
    if (!(await findAgentFor(services, person, slug)))
      throw badField('config.bundle', `There is no agent "${slug}" that you may run.`)
  }
}
