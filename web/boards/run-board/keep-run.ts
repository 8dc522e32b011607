import type { Agent } from '#contract/agents/agents.ts'
import type { RunDetail } from '#contract/agents/runs.ts'
import { type Board, boards } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { formatTime } from '#web/ui/format-time.ts'
import { addFrames, type BoardDocument, makeFrame } from '../document/board-document.ts'
import { bodyOf } from '../document/sent-board.ts'
import type { RunAgent } from './run-agents.ts'
import { placesOf, runFrameSize } from './run-tree.ts'

function framesOfRun(
  run: Pick<RunDetail, 'id' | 'agent' | 'input'>,
  agents: readonly RunAgent[],
  known: readonly Pick<Agent, 'id' | 'slug'>[],
) {
  const places = placesOf(agents)
  return agents.map(({ id, askedBy, span }) => {
    const itself = known.find(({ slug }) => slug === span.agent_slug)?.id
    const input = askedBy === null ? run.input : askedOf(span.input)
    return makeFrame('agent_preview', {
      position: places.get(id) ?? { x: 0, y: 0 },
      size: runFrameSize,
      name: truncate(span.name, 120) || 'Agent',
      // An agent that the viewer can't open is shown through the run's own agent.
      content: {
        agentId: itself ?? run.agent?.id ?? null,
        input: truncate(input, 4000).toWellFormed(),
        runId: run.id,
      },
    })
  })
}

function askedOf(input: unknown): string {
  if (typeof input === 'string') return input
  const { input: said } = (input ?? {}) as { input?: unknown }
  return typeof said === 'string' ? said : ''
}

/**
 * Creates a board, then saves it with the run's frames. Pass the same `id` (of the board) on a retry, so that no second board is created.
 */
export async function keepRun(
  run: RunDetail,
  agents: readonly RunAgent[],
  known: readonly Pick<Agent, 'id' | 'slug'>[],
  id = newClientId(),
): Promise<Board> {
  const name = truncate(`Run of ${run.agent?.name ?? 'an agent'}, ${formatTime(run.created_at, 'date-time')}`, 120)
  const made = await call(boards.create, { body: { id, name, description: truncate(run.input, 2000) } })
  const config = { ...made.config, layout: 'canvas', engagementMode: 'canvas' } as const
  const document: BoardDocument = addFrames(framesOfRun(run, agents, known))({ config, frames: [] })
  return call(boards.save, { params: { id: made.id }, body: bodyOf(document, made), ifMatch: made.rev })
}
