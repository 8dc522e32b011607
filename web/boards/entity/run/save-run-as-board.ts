import type { Agent } from '#contract/agents/agents.ts'
import type { RunDetail } from '#contract/agents/runs.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { addFrames, type BoardDocument, buildFrame, toBoardBody } from '../../document/board-document.ts'
import type { RunAgent } from './run-agents.ts'
import { layOutRunAgents, runFrameSize } from './run-tree.ts'

function createRunFrames(
  run: Pick<RunDetail, 'id' | 'agent' | 'input'>,
  agents: readonly RunAgent[],
  accessibleAgents: readonly Pick<Agent, 'id' | 'slug'>[],
) {
  const positions = layOutRunAgents(agents)
  return agents.map(({ id, callerId, span }) => {
    const agentId = accessibleAgents.find(({ slug }) => slug === span.agent_slug)?.id
    const input = callerId === null ? run.input : getInputText(span.input)
    return buildFrame('agent_preview', {
      position: positions.get(id) ?? { x: 0, y: 0 },
      size: runFrameSize,
      name: truncate(span.name, 120) || 'Agent',
      // An agent that the viewer can't open is shown through the run's own agent.
      content: {
        agentId: agentId ?? run.agent?.id ?? null,
        input: truncate(input, 4000).toWellFormed(),
        runId: run.id,
      },
    })
  })
}

function getInputText(input: unknown): string {
  if (typeof input === 'string') return input
  const { input: inputText } = (input ?? {}) as { input?: unknown }
  return typeof inputText === 'string' ? inputText : ''
}

/** Pass the same board `id` on a retry, so that no second board is created. */
export async function saveRunAsBoard(
  run: RunDetail,
  agents: readonly RunAgent[],
  accessibleAgents: readonly Pick<Agent, 'id' | 'slug'>[],
  id = createClientId(),
): Promise<Board> {
  const name = truncate(`Run of ${run.agent?.name ?? 'an agent'}, ${formatTime(run.created_at, 'date-time')}`, 120)
  const createdBoard = await call(boards.create, { body: { id, name, description: truncate(run.input, 2000) } })
  const config = { ...createdBoard.config, layout: 'canvas', engagementMode: 'canvas' } as const
  const document: BoardDocument = addFrames(createRunFrames(run, agents, accessibleAgents))({ config, frames: [] })
  return call(boards.save, {
    params: { id: createdBoard.id },
    body: toBoardBody(document, createdBoard),
    ifMatch: createdBoard.rev,
  })
}
