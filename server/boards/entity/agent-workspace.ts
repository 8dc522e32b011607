import type { boards } from '#contract/boards/boards.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireAgentFor } from '#server/agents/agent-access.ts'
import { toAgentView } from '#server/agents/agent-view.ts'
import type { Services } from '#server/services.ts'
import { listFrames, toFrame } from '../frame-rows.ts'

/** An agent with the frames of the caller's own board for it, if any. @throws Problem 404 */
export async function getAgentWorkspace(
  services: Services,
  person: Person,
  idOrSlug: string,
): Promise<EndpointOutput<typeof boards.agentWorkspace>> {
  const agent = await requireAgentFor(services, person, idOrSlug)
  const board = await services.db
    .selectFrom('boards')
    .select('id')
    .where('owner_id', '=', person.id)
    .where('entity_type', '=', 'agent')
    .where('entity_id', '=', agent.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const frames = board ? await listFrames(services, board.id) : []
  return { agent: toAgentView(agent, person), frames: frames.map((row) => toFrame(row)) }
}
