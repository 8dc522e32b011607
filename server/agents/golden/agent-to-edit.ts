import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { mayEdit, requireAgentFor } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'

/** An agent this person may change. @throws Problem 404 when they may not see it, 403 when they may only see it. */
export async function requireAgentToEdit(services: Services, person: Person, idOrSlug: string): Promise<AgentRow> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  if (!mayEdit(agent, person)) throw new Problem('forbidden', { message: 'Only who may edit this agent can do that.' })
  return agent
}
