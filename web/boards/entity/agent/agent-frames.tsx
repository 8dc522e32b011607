import { useQuery } from '@tanstack/react-query'
import type { Agent } from '#contract/agents/agents.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { SampleNote } from '../board-states.tsx'
import { EditBoard } from '../edit-board.tsx'
import { EntityBoard, entityBoardQuery, ReadOnlyBoard } from '../entity-board.tsx'

const agentFrames = ['agent_preview', 'dialog', 'config_panel'] as const satisfies FrameType[]

export function AgentFrames({ agent }: { agent: Agent }) {
  const isSample = isSampleAgent(agent)
  const boardQuery = useQuery(entityBoardQuery('agent', isSample ? demoIds.agent : agent.id))
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
      {isSample && <SampleNote />}
      <EntityBoard query={boardQuery} entityType="agent" entityId={agent.id} isSample={isSample}>
        {isSample ? <ReadOnlyBoard isSample /> : <EditBoard types={agentFrames} getFrameDefaults={getFrameDefaults} />}
      </EntityBoard>
    </section>
  )
}

function toInitialContent(type: FrameType, agentId: string): Record<string, unknown> {
  if (type === 'config_panel') return { entity: 'agent', entityId: agentId }
  return type === 'dialog' ? { agentId, sessionId: null } : { agentId, input: '', runId: null }
}
