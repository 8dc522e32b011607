import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { RunAnswer } from './run-answer.tsx'
import { isSample, mockAnswer } from './sample-agents.ts'
import { useRunStream } from './use-run-stream.ts'

/** Runs the saved agent with a line of one's own, and shows the answer as it comes. */
export function TryIt() {
  const { agent } = useAgentEditing()
  const { isDirty } = useAgentFields().formState
  const [input, setInput] = useState('')
  const [sampleAnswer, setSampleAnswer] = useState<string>()
  const { view, look, stop } = useRunStream()
  const running = view?.status === 'running'
  const mayRun = agent?.status === 'ready' && agent.may.run && input.trim() !== '' && !running
  const why = !agent ? 'after it is created' : agent.status !== 'ready' ? 'when it is ready' : undefined

  function run() {
    if (!agent || !mayRun) return
    if (isSample(agent)) setSampleAnswer(mockAnswer(agent, input.trim()))
    else void look({ agentId: agent.id, input: input.trim() })
  }

  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="mb-2 font-sans text-ui leading-5 font-semibold tracking-normal">Try it</h2>
      <TextArea
        label="Test input"
        labelHidden
        rows={2}
        value={input}
        placeholder="A line of test input"
        maxLength={100_000}
        onChange={(event) => setInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          // Ctrl Enter saves elsewhere in the form; in this box it runs.
          event.preventDefault()
          event.stopPropagation()
          run()
        }}
      />
      <div className="mt-2 flex flex-wrap items-center gap-2.5">
        {running ? (
          <Button size="small" busy={view.stopping} onClick={stop} icon={<Square aria-hidden size={12} />}>
            Stop
          </Button>
        ) : (
          <Button size="small" disabled={!mayRun} onClick={run} icon={<Play aria-hidden size={13} />}>
            Run
          </Button>
        )}
        {(why || isDirty) && (
          <span className="text-small text-muted-foreground">{why ?? 'runs the version that is saved'}</span>
        )}
      </div>
      {sampleAnswer && <p className="mt-3 font-serif text-[16px] leading-6">{sampleAnswer}</p>}
      {view && <RunAnswer view={view} className="mt-3 border-t border-border pt-3" />}
    </Card>
  )
}
