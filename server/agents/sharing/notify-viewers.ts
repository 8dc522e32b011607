import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'

/** The owner and everyone with a grant, whose pages reload the agent. Must be read before a deletion. */
export async function findViewerIds(services: Services, agent: AgentRow): Promise<string[]> {
  const grants = await services.db
    .selectFrom('agent_grants')
    .select('person_id')
    .where('agent_id', '=', agent.id)
    .execute()
  const people = grants.map((grant) => grant.person_id)
  return agent.owner_id ? [agent.owner_id, ...people] : people
}

export function notifyViewers(services: Services, people: string[]): void {
  for (const personId of new Set(people)) services.live.publish(personId, { type: 'agents-changed' })
}
