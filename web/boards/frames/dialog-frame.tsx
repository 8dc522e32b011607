import { useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { readContent } from '#contract/boards/frame-content.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameChat } from './frame-chat.tsx'
import { getFrameKey } from './frame-query.tsx'
import { WithAgent } from './with-agent.tsx'

/** A persistent chat with an agent; everyone on the board has their own. */
export function DialogFrame(props: FrameBodyProps) {
  const { frame, context, changeContent } = props
  const { agentId: chosenId, sessionId } = readContent('dialog', frame.data.content)
  if (context.mode === 'sample') return <SampleChat name={frame.data.name} />
  return (
    <WithAgent
      {...props}
      chosenId={chosenId}
      question="Which agent should answer here?"
      backLabel="Back to the chat"
      onChoose={(agentId) => changeContent({ agentId, sessionId: null })}
    >
      {(agent, chooseAnother) => (
        <AgentDialog {...props} agent={agent} sessionId={sessionId} onChooseAnother={chooseAnother} />
      )}
    </WithAgent>
  )
}

interface AgentDialogProps extends FrameBodyProps {
  agent: Agent
  sessionId: string | null
  onChooseAnother: (() => void) | undefined
}

function AgentDialog({ frame, context, changeContent, agent, sessionId, onChooseAnother }: AgentDialogProps) {
  const canChange = context.mode === 'edit'
  // Reopen the chat if its session was changed from outside, for example by undo.
  const existingSessionId = useRef(sessionId)
  const [chatKey, setChatKey] = useState(0)
  if (existingSessionId.current !== sessionId) {
    existingSessionId.current = sessionId
    setChatKey(chatKey + 1)
  }
  return (
    <FrameChat
      key={`${agent.id} ${chatKey}`}
      agent={agent}
      frameKey={getFrameKey(context.boardId, frame.id)}
      sessionId={sessionId}
      onSessionChange={(id) => {
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
      onChooseAnother={onChooseAnother}
    />
  )
}

function SampleChat({ name }: { name: string }) {
  return (
    <div className="flex h-full flex-col gap-3 px-3.5 py-3">
      <p className="self-end rounded-[12px_12px_3px_12px] bg-secondary px-3 py-1.5 text-ui text-secondary-foreground">
        What did I keep about Ida?
      </p>
      <p className="font-serif text-[1rem] leading-[1.4375rem]">
        Four cards. The newest is about the lamp, and the oldest about what she says when she means <em>stay</em>.
      </p>
      <p className="mt-auto rounded-md border border-dashed border-border px-3 py-2 text-small text-muted-foreground">
        {name} is a sample. No model is called.
      </p>
    </div>
  )
}
