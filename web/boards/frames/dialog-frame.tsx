import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import { AgentPicker } from './agent-picker.tsx'
import { agentQuery } from './entity-queries.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { FrameChat } from './frame-chat.tsx'
import { frameKey } from './frame-key.ts'
import { FrameQuery } from './frame-query.tsx'
import { agentOf } from './own-entity.ts'
import { SampleChat } from './sample-chat.tsx'

/** A persistent chat with an agent; everyone on the board has their own. */
export function DialogFrame(props: FrameBodyProps) {
  const { frame, surroundings, changeContent } = props
  const content = readContent('dialog', frame.data.content)
  const agentId = agentOf(content.agentId, props)
  if (surroundings.mode === 'sample') return <SampleChat name={frame.data.name} />
  if (surroundings.linkToken) return <FrameNote>Chats aren’t available through a link.</FrameNote>
  const mayChange = surroundings.mode === 'edit'
  if (!agentId) {
    if (!mayChange) return <FrameNote>No agent chosen yet.</FrameNote>
    return (
      <AgentPicker title="Who should answer here?" onChoose={(id) => changeContent({ agentId: id, sessionId: null })} />
    )
  }
  return <ChosenDialog {...props} agentId={agentId} sessionId={content.sessionId} />
}

function ChosenDialog({
  frame,
  surroundings,
  changeContent,
  agentId,
  sessionId,
}: FrameBodyProps & { agentId: string; sessionId: string | null }) {
  const agent = useQuery(agentQuery(agentId))
  const mayChange = surroundings.mode === 'edit'
  const [choosing, setChoosing] = useState(false)
  // Reopen the chat if its session was changed from outside, for example by undo.
  const known = useRef(sessionId)
  const [opened, setOpened] = useState(0)
  if (known.current !== sessionId) {
    known.current = sessionId
    setOpened(opened + 1)
  }

  if (choosing) {
    return (
      <AgentPicker
        title="Who should answer here?"
        onChoose={(id) => {
          setChoosing(false)
          if (id !== agentId) changeContent({ agentId: id, sessionId: null })
        }}
      >
        <button
          type="button"
          onClick={() => setChoosing(false)}
          className="self-start rounded-xs text-small text-muted-foreground underline underline-offset-2"
        >
          Back to the chat
        </button>
      </AgentPicker>
    )
  }
  const chooseAnother = mayChange ? () => setChoosing(true) : undefined
  const showChat = (found: Agent) => (
    <FrameChat
      key={`${found.id} ${opened}`}
      agent={found}
      frameKey={frameKey(surroundings.boardId, frame.id)}
      sessionId={sessionId}
      onSession={(id) => {
        // Don't replace another person's session; this one is then stored only in this browser.
        if (!mayChange || id === null || sessionId !== null) return
        known.current = id
        changeContent({ sessionId: id })
      }}
      onNewChat={() => {
        if (!mayChange || sessionId === null) return
        known.current = null
        changeContent({ sessionId: null })
      }}
      onChooseAnother={chooseAnother}
    />
  )
  return (
    <FrameQuery query={agent} what="agent" onChooseAnother={chooseAnother}>
      {showChat}
    </FrameQuery>
  )
}
