import { Send, Square, X } from 'lucide-react'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useUnsealedDrafts } from '../form/kept-draft.ts'
import { RunAnswer } from '../runs/run-answer.tsx'
import { useRunStream } from '../runs/use-run-stream.ts'
import { keptIntent } from './kept-intent.ts'
import { ProposalCard } from './proposal-card.tsx'
import { proposalIn } from './proposal-values.ts'
import { useKeptText } from './use-kept-text.ts'

/** Sends a request to the platform agent, which may propose an agent. */
export function IntentConsole({ personId }: { personId: string }) {
  useUnsealedDrafts()
  const kept = useMemo(() => keptIntent(personId), [personId])
  const { view, look, stop, forget } = useRunStream()
  const [input, setInput] = useKeptText(`intent-line-${personId}`)
  const [asked, setAsked] = useState<string>()
  const running = view?.status === 'running'
  const proposal = view && proposalIn(view.tools)

  useEffect(() => {
    const before = kept.read()
    if (!before) return
    setAsked(before.input)
    void look({ runId: before.runId })
  }, [kept, look])

  const runId = view?.runId
  useEffect(() => {
    if (!runId || asked === undefined) return
    kept.write({ input: asked, runId })
    // The server has the request now.
    setInput((now) => (now.trim() === asked ? '' : now))
  }, [kept, runId, asked, setInput])

  function ask(event: FormEvent) {
    event.preventDefault()
    const line = input.trim()
    if (line === '' || running) return
    kept.clear()
    setAsked(line)
    void look({ intent: line })
  }

  function clear() {
    kept.clear()
    forget()
    setAsked(undefined)
  }

  return (
    <section aria-label="Intent Console">
      <h2 className="mb-3">Intent Console</h2>
      <Card>
        <form onSubmit={ask} className="flex items-end gap-2">
          <TextField
            label="What do you want?"
            value={input}
            maxLength={2000}
            autoComplete="off"
            placeholder="An agent that reads my week and writes one reflection"
            className="flex-1"
            onChange={(event) => setInput(event.currentTarget.value)}
          />
          {running ? (
            <Button busy={view.stopping} onClick={stop} icon={<Square aria-hidden size={13} />}>
              Stop
            </Button>
          ) : (
            <Button
              type="submit"
              variant="primary"
              disabled={input.trim() === ''}
              icon={<Send aria-hidden size={14} />}
            >
              Ask
            </Button>
          )}
        </form>
        {view && asked !== undefined && (
          <div className="mt-4 border-t border-border pt-3.5">
            <div className="mb-2 flex items-start gap-2">
              <p className="min-w-0 flex-1 text-ui font-semibold wrap-anywhere">{asked}</p>
              {!running && (
                <IconButton label="Clear the answer" size="small" onClick={clear} className="-mt-1 -me-1.5">
                  <X aria-hidden size={15} />
                </IconButton>
              )}
            </div>
            <RunAnswer view={view} agentSlug="platform-agent" />
            {!running && view.status !== 'success' && (
              <Button size="small" className="mt-3" onClick={() => look({ intent: asked })}>
                Ask again
              </Button>
            )}
            {proposal && (
              <div className="mt-4">
                <ProposalCard key={view.runId} proposal={proposal} />
              </div>
            )}
          </div>
        )}
      </Card>
    </section>
  )
}
