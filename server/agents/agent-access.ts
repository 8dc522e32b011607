import { sql } from 'kysely'
import type { AgentRight } from '#contract/agents/sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Database, preparedQuery } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'

type Asking = Pick<Person, 'id'>

/** A person's grants; absent or null where no grant applies. */
interface Granted {
  may_run: boolean | null
  may_edit: boolean | null
  may_share: boolean | null
  may_delete: boolean | null
}
export type SeenAgent = AgentRow & Partial<Granted>

/** The two queries below stay separate: a combined one made the full list 50% slower. */
export function openAgents(db: Database, personId: string) {
  return db
    .selectFrom('agents')
    .selectAll('agents')
    .where((where) =>
      where.or([
        where('agents.owner_id', '=', personId),
        where.and([where('agents.visibility', '=', 'public'), where.exists(activeOwner(db))]),
        where('agents.owner_id', 'is', null),
      ]),
    )
}

/** Agents of a deactivated owner are closed to others. */
export function activeOwner(db: Database) {
  return db
    .selectFrom('people')
    .select('people.id')
    .where('people.id', '=', sql.ref<string>('agents.owner_id'))
    .where('people.deactivated_at', 'is', null)
}

export function sharedAgents(db: Database, personId: string) {
  return db
    .selectFrom('agent_grants')
    .innerJoin('agents', 'agents.id', 'agent_grants.agent_id')
    .selectAll('agents')
    .select(['agent_grants.may_run', 'agent_grants.may_edit', 'agent_grants.may_share', 'agent_grants.may_delete'])
    .where('agent_grants.person_id', '=', personId)
    .where('agents.visibility', '=', 'shared')
    .where(({ exists }) => exists(activeOwner(db)))
}

export function isOwner(agent: AgentRow, person: Asking): boolean {
  return agent.owner_id === person.id
}

export function mayRun(agent: SeenAgent, person: Asking): boolean {
  return (
    isOwner(agent, person) || agent.owner_id === null || agent.visibility === 'public' || isGranted(agent, 'may_run')
  )
}

/** Built-in agents (no owner) need the `system_configuration` permission. */
export function mayEdit(agent: SeenAgent, person: Pick<Person, 'id' | 'permissions'>): boolean {
  if (agent.owner_id === null) return person.permissions.has('system_configuration')
  return isOwner(agent, person) || isGranted(agent, 'may_edit')
}

/** Visibility and visitor spending stay with the owner, even when others can edit. */
export function mayDecideWhoSees(agent: SeenAgent, person: Pick<Person, 'id' | 'permissions'>): boolean {
  return mayEdit(agent, person) && (agent.owner_id === null || isOwner(agent, person))
}

export function mayShare(agent: SeenAgent, person: Asking): boolean {
  return isOwner(agent, person) || isGranted(agent, 'may_share')
}

export function mayDelete(agent: SeenAgent, person: Asking): boolean {
  return isOwner(agent, person) || (agent.owner_id !== null && isGranted(agent, 'may_delete'))
}

export function rightsOn(agent: SeenAgent, person: Asking): AgentRight[] {
  const rights: AgentRight[] = ['run', 'edit', 'share', 'delete']
  return rights.filter((right) => isOwner(agent, person) || isGranted(agent, `may_${right}`))
}

function isGranted(agent: SeenAgent, right: keyof Granted): boolean {
  return agent.visibility === 'shared' && agent[right] === true
}

export async function findAgentFor(
  services: Services,
  person: Asking,
  idOrSlug: string,
): Promise<SeenAgent | undefined> {
  const asked = { person: person.id, idOrSlug }
  return (await openAgent.first(services.db, asked)) ?? sharedAgent.first(services.db, asked)
}

const openAgent = preparedQuery<{ person: string; idOrSlug: string }>()((db, { person, idOrSlug }) =>
  openAgents(db, person).where((where) =>
    where.or([where('agents.id', '=', idOrSlug), where('agents.slug', '=', idOrSlug)]),
  ),
)
const sharedAgent = preparedQuery<{ person: string; idOrSlug: string }>()((db, { person, idOrSlug }) =>
  sharedAgents(db, person).where((where) =>
    where.or([where('agents.id', '=', idOrSlug), where('agents.slug', '=', idOrSlug)]),
  ),
)

export async function requireAgentFor(services: Services, person: Asking, idOrSlug: string): Promise<SeenAgent> {
  const agent = await findAgentFor(services, person, idOrSlug)
  if (!agent) throw new Problem('not-found', { message: 'Agent not found' })
  return agent
}

/** @throws Problem `not-found` if the agent isn't visible, `forbidden` if it can't be run. */
export async function requireRunnableFor(services: Services, person: Asking, idOrSlug: string): Promise<SeenAgent> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayRun(agent, person))
    throw new Problem('forbidden', { message: "You can't run this agent. Ask its owner for access." })
  return agent
}

/** @throws Problem `not-found` if the agent isn't visible, `forbidden` if it can't be edited. */
export async function requireEditableFor(services: Services, person: Person, idOrSlug: string): Promise<SeenAgent> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayEdit(agent, person))
    throw new Problem('forbidden', {
      message: 'Only its owner and people given the right can change this agent.',
    })
  return agent
}

/** @throws Problem `not-found` if the agent isn't visible, `forbidden` if it can't be shared. */
export async function requireShareableFor(services: Services, person: Person, idOrSlug: string): Promise<SeenAgent> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayShare(agent, person))
    throw new Problem('forbidden', { message: 'Only its owner and people given the right can share this agent.' })
  return agent
}

/** Finds a public Lead whose owner is active. @throws Problem `not-a-lead` for a public agent of another class. */
export async function requirePublicLead(services: Services, idOrSlug: string): Promise<AgentRow> {
  const agent = await services.db
    .selectFrom('agents')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .where('visibility', '=', 'public')
    .where((where) => where.or([where('owner_id', 'is', null), where.exists(activeOwner(services.db))]))
    .executeTakeFirst()
  if (!agent) throw new Problem('not-found', { message: 'Agent not found' })
  if (agent.agent_class !== 'Lead')
    throw new Problem('not-found', { message: `Agent "${agent.slug}" is not a Lead agent`, code: 'not-a-lead' })
  return agent
}
