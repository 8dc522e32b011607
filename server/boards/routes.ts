import { boards } from '#contract/boards/boards.ts'
import { requireAgentFor } from '#server/agents/agent-access.ts'
import { agentView } from '#server/agents/agent-view.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function boardRoutes(services: Services): ServedCall[] {
  const { agentWorkspace, ...later } = boards
  return [
    ...unbuiltArea('boards', later),
    ...serveArea(
      'boards',
      { agentWorkspace },
      {
        agentWorkspace: async ({ person, params }) => ({
          agent: agentView(await requireAgentFor(services, person, params.agentId), person),
          frames: [],
        }),
      },
    ),
  ]
}
