import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { AgentPicker, BackButton } from './entity-pickers.tsx'
import { agentQuery } from './entity-queries.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { FrameQuery, getEntityId } from './frame-query.tsx'

interface WithAgentProps extends FrameBodyProps {
  chosenId: string | null
  question: string
  backLabel: string
  onChoose: (agentId: string) => void
  children: (agent: Agent, chooseAnother: (() => void) | undefined) => ReactNode
}

/** Resolves the agent of a frame, or asks for one. */
export function WithAgent({ chosenId, question, backLabel, onChoose, children, ...props }: WithAgentProps) {
  const agentId = getEntityId('agent', chosenId, props)
  const canChange = props.context.mode === 'edit'
  const query = useQuery({ ...agentQuery(agentId ?? ''), enabled: agentId !== null })
  const [isChoosing, setChoosing] = useState(false)
  if (!agentId && !canChange) return <FrameNote>No agent chosen yet.</FrameNote>
  if (!agentId || isChoosing) {
    return (
      <AgentPicker
        title={question}
        onChoose={(id) => {
          setChoosing(false)
          if (id !== agentId) onChoose(id)
        }}
      >
        {agentId && <BackButton label={backLabel} onBack={() => setChoosing(false)} />}
      </AgentPicker>
    )
  }
  const chooseAnother = canChange ? () => setChoosing(true) : undefined
  return (
    <FrameQuery query={query} entityName="agent" onChooseAnother={chooseAnother}>
      {(agent) => children(agent, chooseAnother)}
    </FrameQuery>
  )
}
