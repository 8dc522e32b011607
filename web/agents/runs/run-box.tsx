import { Play, Square } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { createMockAnswer, isSampleAgent } from '#contract/samples/sample-agents.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { sendOnKey } from '#web/ui/fields/field-keys.ts'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import type { RunStart } from './follow-run.ts'
import { RunAnswer } from './run-answer.tsx'
import { MockBadge } from './run-status-badge.tsx'
import type { useRun } from './run-store.ts'

export interface RunBoxProps {
  agent: Agent | null
  run: ReturnType<typeof useRun>
  note?: ReactNode
  /** Replaces the default of running `agent` as saved; null while nothing can run. */
  getRunStart?: ((input: string) => RunStart) | null | undefined
}

export function RunBox({ agent, run: { view, start, stop }, note, getRunStart }: RunBoxProps) {
  const [input, setInput] = useState('')
  const [sampleAnswer, setSampleAnswer] = useState<string>()
  const running = view?.status === 'running'
  const [lastInput, setLastInput] = useState('')
  const obstacle = agent && getObstacle(agent)
  const isAllowed = agent ? !obstacle : getRunStart != null
  const canRun = isAllowed && input.trim() !== '' && !running
  const hint = obstacle ?? note

  function run() {
    if (!canRun) return
    if (agent && isSampleAgent(agent)) return setSampleAnswer(createMockAnswer(agent, input.trim()))
    startWithInput(input.trim())
  }
  function startWithInput(text: string) {
    const runStart = getRunStart?.(text) ?? (agent && { agentId: agent.id, input: text })
    if (!runStart) return
    setLastInput(text)
    void start(runStart, agent ? () => createMockAnswer(agent, text) : undefined)
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
        onKeyDown={sendOnKey(run)}
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
          <p className="font-serif text-[1rem] leading-6">{sampleAnswer}</p>
          <MockBadge className="mt-2" />
        </div>
      )}
      {view && (
        <RunAnswer
          view={view}
          agentSlug={agent?.slug}
          {...(lastInput && { onTryAgain: () => startWithInput(lastInput) })}
          className="mt-3 border-t border-border pt-3"
        />
      )}
    </>
  )
}

function getObstacle({ status, may }: Agent): string | undefined {
  if (status !== 'ready') return 'available when it’s ready'
  return may.run ? undefined : 'you don’t have permission to run it'
}
