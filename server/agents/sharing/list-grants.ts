import { type AgentGrant, type AgentRight, agentRights } from '#contract/agents/sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import type { Services } from '#server/services.ts'
import { getAgentRights, requireShareableAgent } from '../agent-access.ts'

export async function listGrants(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<{ grants: AgentGrant[]; mine: AgentRight[] }> {
  const agent = await requireShareableAgent(services, person, idOrSlug)
  const rows = await selectGrants(services, person, agent.id).execute()
  return { grants: rows.map((row) => toGrantView(row, person)), mine: getAgentRights(agent, person) }
}

export function selectGrants(services: Services, person: Person, agentId: string) {
  return services.db
    .selectFrom('agent_grants')
    .innerJoin('people', 'people.id', 'agent_grants.person_id')
    .select(['people.id', 'people.name', 'people.email', 'agent_grants.granted_at'])
    .select(['agent_grants.may_run', 'agent_grants.may_edit', 'agent_grants.may_share', 'agent_grants.may_delete'])
    .select((select) => select('people.id', 'in', selectPeopleVisibleTo(services.db, person.id)).as('is_close'))
    .where('agent_grants.agent_id', '=', agentId)
    .orderBy('people.name')
    .orderBy('people.id')
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['executeTakeFirstOrThrow']>>

/** Shows emails only to people who share a domain, like the people search. */
export function toGrantView(row: GrantRow, person: Person): AgentGrant {
  return {
    person: { id: row.id, name: row.name, email: row.is_close ? row.email : null },
    rights: agentRights.filter((right) => row[`may_${right}`]),
    granted_at: new Date(row.granted_at).toISOString(),
    may_change: row.id !== person.id,
  }
}
