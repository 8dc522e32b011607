import { type RawBuilder, sql } from 'kysely'
import type { AgentRight } from '#contract/agents/sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Database, prepareQuery } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-view.ts'
import type { Runner } from './runs/execute/runner.ts'

type AgentViewer = Pick<Person, 'id'>

/** A person's grants; absent or null where no grant applies. */
interface AgentGrantColumns {
  may_run: boolean | null
  may_edit: boolean | null
  may_share: boolean | null
  may_delete: boolean | null
}
export type VisibleAgent = AgentRow & Partial<AgentGrantColumns>

/** Own, public and built-in agents. Separate from `selectSharedAgents`, because a combined query was 50 % slower. */
export function selectOpenAgents(db: Database, personId: string) {
  return db
    .selectFrom('agents')
    .selectAll('agents')
    .where((where) =>
      where.or([
        where('agents.owner_id', '=', personId),
        where.and([where('agents.visibility', '=', 'public'), where.exists(selectActiveOwner(db))]),
        where('agents.owner_id', 'is', null),
      ]),
    )
}

export function selectActiveOwner(db: Database) {
  return db
    .selectFrom('people')
    .select('people.id')
    .where('people.id', '=', sql.ref<string>('agents.owner_id'))
    .where('people.deactivated_at', 'is', null)
}

export function selectSharedAgents(db: Database, personId: string) {
  return db
    .selectFrom('agent_grants')
    .innerJoin('agents', 'agents.id', 'agent_grants.agent_id')
    .selectAll('agents')
    .select(['agent_grants.may_run', 'agent_grants.may_edit', 'agent_grants.may_share', 'agent_grants.may_delete'])
    .where('agent_grants.person_id', '=', personId)
    .where('agents.visibility', '=', 'shared')
    .where(({ exists }) => exists(selectActiveOwner(db)))
}

export function isOwner(agent: AgentRow, person: AgentViewer): boolean {
  return agent.owner_id === person.id
}

export function canRun(agent: VisibleAgent, person: AgentViewer): boolean {
  return (
    isOwner(agent, person) || agent.owner_id === null || agent.visibility === 'public' || isGranted(agent, 'may_run')
  )
}

export function canEdit(agent: VisibleAgent, person: Pick<Person, 'id' | 'permissions'>): boolean {
  if (agent.owner_id === null) return person.permissions.has('system_configuration')
  return isOwner(agent, person) || isGranted(agent, 'may_edit')
}

/** Visibility and visitor spending stay with the owner, even when others can edit. */
export function canSetVisibility(agent: VisibleAgent, person: Pick<Person, 'id' | 'permissions'>): boolean {
  return canEdit(agent, person) && (agent.owner_id === null || isOwner(agent, person))
}

export function canShare(agent: VisibleAgent, person: AgentViewer): boolean {
  return isOwner(agent, person) || isGranted(agent, 'may_share')
}

export function canDelete(agent: VisibleAgent, person: AgentViewer): boolean {
  return isOwner(agent, person) || (agent.owner_id !== null && isGranted(agent, 'may_delete'))
}

export function getAgentRights(agent: VisibleAgent, person: AgentViewer): AgentRight[] {
  const rights: AgentRight[] = ['run', 'edit', 'share', 'delete']
  return rights.filter((right) => isOwner(agent, person) || isGranted(agent, `may_${right}`))
}

function isGranted(agent: VisibleAgent, right: keyof AgentGrantColumns): boolean {
  return agent.visibility === 'shared' && agent[right] === true
}

export async function findAgentFor(
  services: Services,
  person: AgentViewer,
  idOrSlug: string,
): Promise<VisibleAgent | undefined> {
  const params = { personId: person.id, idOrSlug }
  return (await findOpenAgent.first(services.db, params)) ?? findSharedAgent.first(services.db, params)
}

type AgentLookup = { personId: string; idOrSlug: string }
const findOpenAgent = prepareQuery<AgentLookup>()((db, { personId, idOrSlug }) =>
  selectOpenAgents(db, personId).where(hasIdOrSlug(idOrSlug)),
)
const findSharedAgent = prepareQuery<AgentLookup>()((db, { personId, idOrSlug }) =>
  selectSharedAgents(db, personId).where(hasIdOrSlug(idOrSlug)),
)

export function hasIdOrSlug(idOrSlug: string): RawBuilder<boolean> {
  return sql<boolean>`(agents.id = ${idOrSlug} or agents.slug = ${idOrSlug})`
}

export async function requireAgentFor(
  services: Services,
  person: AgentViewer,
  idOrSlug: string,
): Promise<VisibleAgent> {
  const agent = await findAgentFor(services, person, idOrSlug)
  if (!agent) throw new Problem('not-found', { message: 'Agent not found' })
  return agent
}

/** @throws Problem `not-found` if the agent isn't visible, otherwise `forbidden`. */
function createAgentGuard<Viewer extends AgentViewer>(
  isAllowed: (agent: VisibleAgent, person: Viewer) => boolean,
  message: string,
) {
  return async (services: Services, person: Viewer, idOrSlug: string): Promise<VisibleAgent> => {
    const agent = await requireAgentFor(services, person, idOrSlug)
    if (!isAllowed(agent, person)) throw new Problem('forbidden', { message })
    return agent
  }
}

export const requireRunnableAgent = createAgentGuard(canRun, 'You can’t run this agent. Ask its owner for access.')
export const requireEditableAgent = createAgentGuard(
  canEdit,
  'Only the owner of this agent and people with the right to edit it can change it.',
)
export const requireShareableAgent = createAgentGuard(
  canShare,
  'Only the owner of this agent and people with the right to share it can do that.',
)

/** Finds a public Lead whose owner is active. @throws Problem `not-a-lead` for a public agent of another class. */
export async function requirePublicLead(services: Services, idOrSlug: string): Promise<AgentRow> {
  const agent = await services.db
    .selectFrom('agents')
    .selectAll()
    .where(hasIdOrSlug(idOrSlug))
    .where('visibility', '=', 'public')
    .where((where) => where.or([where('owner_id', 'is', null), where.exists(selectActiveOwner(services.db))]))
    .executeTakeFirst()
  if (!agent) throw new Problem('not-found', { message: 'Agent not found' })
  if (agent.agent_class !== 'Lead')
    throw new Problem('not-found', { message: `Agent "${agent.slug}" is not a Lead agent`, code: 'not-a-lead' })
  return agent
}

export function requireAgentForRunner(services: Services, runner: Runner, idOrSlug: string): Promise<AgentRow> {
  return runner.person ? requireRunnableAgent(services, runner.person, idOrSlug) : requirePublicLead(services, idOrSlug)
}
