import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import { AgentPicker } from './agent-picker.tsx'
import { agentQuery } from './entity-queries.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { FrameChat } from './frame-chat.tsx'
import { getAgentId } from './frame-entity.ts'
import { getFrameKey } from './frame-key.ts'
import { FrameQuery } from './frame-query.tsx'

/** A persistent chat with an agent; everyone on the board has their own. */
export function DialogFrame(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const content = readContent('dialog', frame.data.content)
  const agentId = getAgentId(content.agentId, props)
  if (context.mode === 'sample') return <SampleChat name={frame.data.name} />
  if (context.linkToken) return <FrameNote>Chats aren’t available through a link.</FrameNote>
  const canChange = context.mode === 'edit'
  if (!agentId) {
    if (!canChange) return <FrameNote>No agent chosen yet.</FrameNote>
    return (
      <AgentPicker
        title="Which agent should answer here?"
        onChoose={(id) => changeContent({ agentId: id, sessionId: null })}
      />
    )
  }
  return <ChosenDialog {...props} agentId={agentId} sessionId={content.sessionId} />
}

function ChosenDialog({
  frame,
  context,
  changeContent,
  agentId,
  sessionId,
}: FrameBodyProps & { agentId: string; sessionId: string | null }) {
  const agent = useQuery(agentQuery(agentId))
  const canChange = context.mode === 'edit'
  const [choosing, setChoosing] = useState(false)
  // Reopen the chat if its session was changed from outside, for example by undo.
  const existingSessionId = useRef(sessionId)
  const [chatKey, setChatKey] = useState(0)
  if (existingSessionId.current !== sessionId) {
    existingSessionId.current = sessionId
    setChatKey(chatKey + 1)
  }

  if (choosing) {
    return (
      <AgentPicker
        title="Which agent should answer here?"
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
  const chooseAnother = canChange ? () => setChoosing(true) : undefined
  const showChat = (loadedAgent: Agent) => (
    <FrameChat
      key={`${loadedAgent.id} ${chatKey}`}
      agent={loadedAgent}
      frameKey={getFrameKey(context.boardId, frame.id)}
      sessionId={sessionId}
      onSession={(id) => {
        // Don't replace another person's session; this one is then stored only in this browser.
        if (!canChange || id === null || sessionId !== null) return
        existingSessionId.current = id
        changeContent({ sessionId: id })
      }}
      onNewChat={() => {
        if (!canChange || sessionId === null) return
        existingSessionId.current = null
        changeContent({ sessionId: null })
      }}
      onChooseAnother={chooseAnother}
    />
  )
  return (
    <FrameQuery query={agent} entityName="agent" onChooseAnother={chooseAnother}>
      {showChat}
    </FrameQuery>
  )
}
function SampleChat({ name }: { name: string }) {
  return (
    <div className="flex h-full flex-col gap-3 px-3.5 py-3">
      <p className="self-end rounded-[12px_12px_3px_12px] bg-secondary px-3 py-1.5 text-ui text-secondary-foreground">
        What did I keep about Ida?
      </p>
      <p className="font-serif text-[16px] leading-[23px]">
        Four cards. The newest is about the lamp, and the oldest about what she says when she means <em>stay</em>.
      </p>
      <p className="mt-auto rounded-md border border-dashed border-border px-3 py-2 text-small text-muted-foreground">
        {name} is a sample. No model is called.
      </p>
    </div>
  )
}
