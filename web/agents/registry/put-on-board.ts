import type { Agent } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { createFrameData } from '#contract/boards/frame-content.ts'
import { frameTypes } from '#contract/boards/frame-types.ts'
import { call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

/** @returns the id of a new board with the agent’s preview on it */
export async function createAgentBoard(agent: Agent): Promise<string> {
  const board = await call(boards.create, { body: { id: createClientId(), name: agent.name } })
  const { position: _, ...data } = createFrameData('agent_preview', {
    name: agent.name,
    slug: 'agent',
    position: { x: 0, y: 0 },
    content: { agentId: agent.id },
  })
  const frame = { id: createClientId(), data, FrameConfig: { engagementMode: frameTypes.agent_preview.pattern } }
  await call(boards.save, { params: { id: board.id }, body: { frames: [...board.frames, frame] }, ifMatch: board.rev })
  return board.id
}
