import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from './agent-row.ts'

/** Only the owner edits; the agents that come with Keeper are edited by who configures the system. */
export function mayEdit(agent: AgentRow, person: Person): boolean {
  return agent.owner_id === null ? person.permissions.has('system_configuration') : agent.owner_id === person.id
}

/** The agents that come with Keeper stay. */
export function mayRemove(agent: AgentRow, person: Person): boolean {
  return agent.owner_id === person.id
}

/** The agent by id or slug, if this person may see it: one's own, the public ones and those that come with Keeper. */
export async function findAgentFor(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<AgentRow | undefined> {
  return services.db
    .selectFrom('agents')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .where((where) =>
      where.or([where('owner_id', '=', person.id), where('visibility', '=', 'public'), where('owner_id', 'is', null)]),
    )
    .executeTakeFirst()
}

export async function requireAgentFor(services: Services, person: Person, idOrSlug: string): Promise<AgentRow> {
  const agent = await findAgentFor(services, person, idOrSlug)
  if (!agent) throw new Problem('not-found', { message: 'Agent not found' })
  return agent
}

/** An agent anyone may chat with: public, and a Lead. A public agent that is no Lead says so (seed 001 §8). */
export async function requirePublicLead(services: Services, idOrSlug: string): Promise<AgentRow> {
  const agent = await services.db
    .selectFrom('agents')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrSlug), where('slug', '=', idOrSlug)]))
    .where('visibility', '=', 'public')
    .executeTakeFirst()
  return requireLead(agent)
}

/** The chat page of somebody signed in also opens their own Leads. */
export async function requireLeadFor(services: Services, person: Person, idOrSlug: string): Promise<AgentRow> {
  return requireLead(await findAgentFor(services, person, idOrSlug))
}

function requireLead(agent: AgentRow | undefined): AgentRow {
  if (!agent) throw new Problem('not-found', { message: 'Agent not found' })
  if (agent.agent_class !== 'Lead')
    throw new Problem('not-found', { message: `Agent "${agent.slug}" is not a Lead agent`, code: 'not-a-lead' })
  return agent
}
