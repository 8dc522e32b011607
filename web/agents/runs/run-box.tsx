import { Play, Square } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { createMockAnswer, isSampleAgent } from '#contract/samples/sample-agents.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { onSendKey } from '#web/ui/fields/on-send-key.ts'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { RunAnswer } from './run-answer.tsx'
import type { useRun } from './run-store.ts'

export interface RunBoxProps {
  agent: Agent | null
  run: ReturnType<typeof useRun>
  note?: ReactNode
}

export function RunBox({ agent, run: { view, start, stop }, note }: RunBoxProps) {
  const [input, setInput] = useState('')
  const [sampleAnswer, setSampleAnswer] = useState<string>()
  const running = view?.status === 'running'
  const canRun = agent?.status === 'ready' && agent.may.run && input.trim() !== '' && !running
  const hint = !agent
    ? 'available once it’s created'
    : agent.status !== 'ready'
      ? 'available when it’s ready'
      : agent.may.run
        ? note
        : 'you don’t have permission to run it'

  const [lastInput, setLastInput] = useState('')
  function run() {
    if (!agent || !canRun) return
    if (isSampleAgent(agent)) return setSampleAnswer(createMockAnswer(agent, input.trim()))
    startWithInput(agent, input.trim())
  }
  function startWithInput(agent: Agent, input: string) {
    setLastInput(input)
    void start({ agentId: agent.id, input }, () => createMockAnswer(agent, input))
  }

  return (
    <>
      <TextArea
        label="Test input"
        labelHidden
        rows={2}
        value={input}
        placeholder="A line of test input"
        maxLength={100_000}
        className="mt-2"
        onChange={(event) => setInput(event.currentTarget.value)}
        onKeyDown={onSendKey(run)}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2.5">
        {running ? (
          <Button size="small" busy={view.stopping} onClick={stop} icon={<Square aria-hidden size={12} />}>
            Stop
          </Button>
        ) : (
          <Button size="small" disabled={!canRun} onClick={run} icon={<Play aria-hidden size={13} />}>
            Run
          </Button>
        )}
        {hint && <span className="text-small text-muted-foreground">{hint}</span>}
      </div>
      {sampleAnswer && (
        <div className="mt-3 border-t border-border pt-3">
          <p className="font-serif text-[16px] leading-6">{sampleAnswer}</p>
          <Badge tone="warning" className="mt-2">
            mock_mode
          </Badge>
        </div>
      )}
      {view && (
        <RunAnswer
          view={view}
          agentSlug={agent?.slug}
          {...(agent && lastInput && { onTryAgain: () => startWithInput(agent, lastInput) })}
          className="mt-3 border-t border-border pt-3"
        />
      )}
    </>
  )
}
