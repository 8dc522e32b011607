import { useQuery } from '@tanstack/react-query'
import type { Agent } from '#contract/agents/agents.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { BoardEditorProvider } from '../../document/use-board-editor.tsx'
import { BoardSessionProvider } from '../../together/use-board-session.tsx'
import { BoardError, BoardSkeleton, SampleNote } from '../board-states.tsx'
import { EditBoard } from '../edit-board.tsx'
import { DeletedBoard, entityBoardQuery, isDeleted, ReadOnlyBoard } from '../entity-board.tsx'

const agentFrames = ['agent_preview', 'dialog', 'config_panel'] as const satisfies FrameType[]

export function AgentFrames({ agent }: { agent: Agent }) {
  const sample = isSampleAgent(agent)
  const boardQuery = useQuery(entityBoardQuery('agent', sample ? demoIds.agent : agent.id))
  const { data: board, error, isFetching, refetch } = boardQuery
  const getFrameDefaults = (type: FrameType) => ({
    entityType: 'agent',
    entityId: agent.id,
    content: toInitialContent(type, agent.id),
  })
  return (
    <section aria-labelledby="agent-frames" className="mt-8">
      <h2 id="agent-frames" className="mb-3">
        Frames
      </h2>
      {sample && <SampleNote />}
      {isDeleted(boardQuery) ? (
        <DeletedBoard entityType="agent" entityId={agent.id} />
      ) : board ? (
        <BoardEditorProvider key={board.id} board={board}>
          {sample ? (
            <ReadOnlyBoard sample />
          ) : (
            <BoardSessionProvider>
              <EditBoard types={agentFrames} getFrameDefaults={getFrameDefaults} />
            </BoardSessionProvider>
          )}
        </BoardEditorProvider>
      ) : error ? (
        <BoardError reason={error} onRetry={() => refetch()} retrying={isFetching} />
      ) : (
        <BoardSkeleton />
      )}
    </section>
  )
}

function toInitialContent(type: FrameType, agentId: string): Record<string, unknown> {
  if (type === 'config_panel') return { entity: 'agent', entityId: agentId }
  return type === 'dialog' ? { agentId, sessionId: null } : { agentId, input: '', runId: null }
}
