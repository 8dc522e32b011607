import { Send, Square, X } from 'lucide-react'
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { useDecryptedDrafts } from '../form/stored-draft.ts'
import { RunAnswer } from '../runs/run-answer.tsx'
import { useRunStream } from '../runs/use-run-stream.ts'
import { ProposalCard } from './proposal-card.tsx'
import { findProposal } from './proposal-values.ts'
import { createIntentDraft } from './saved-intent.ts'
import { useDraftText } from './use-draft-text.ts'

export function IntentConsole({ personId }: { personId: string }) {
  useDecryptedDrafts()
  const savedIntent = useMemo(() => createIntentDraft(personId), [personId])
  const { view, startRun, stop, forget } = useRunStream()
  const [input, setInput] = useDraftText(`intent-line-${personId}`)
  const [lastRequest, setLastRequest] = useState<string>()
  const running = view?.status === 'running'
  const proposal = view && findProposal(view.tools)

  useEffect(() => {
    const previousIntent = savedIntent.read()
    if (!previousIntent) return
    setLastRequest(previousIntent.input)
    void startRun({ runId: previousIntent.runId })
  }, [savedIntent, startRun])

  const runId = view?.runId
  useEffect(() => {
    if (!runId || lastRequest === undefined) return
    savedIntent.write({ input: lastRequest, runId })
    // The server has the request now.
    setInput((now) => (now.trim() === lastRequest ? '' : now))
  }, [savedIntent, runId, lastRequest, setInput])

  function submitIntent(event: FormEvent) {
    event.preventDefault()
    const request = input.trim()
    if (request === '' || running) return
    savedIntent.clear()
    setLastRequest(request)
    void startRun({ intent: request })
  }

  function clear() {
    savedIntent.clear()
    forget()
    setLastRequest(undefined)
  }

  return (
    <section aria-label="Intent Console">
      <h2 className="mb-3">Intent Console</h2>
      <Card>
        <form onSubmit={submitIntent} className="flex items-end gap-2">
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
        {view && lastRequest !== undefined && (
          <div className="mt-4 border-t border-border pt-3.5">
            <div className="mb-2 flex items-start gap-2">
              <p className="min-w-0 flex-1 text-ui font-semibold wrap-anywhere">{lastRequest}</p>
              {!running && (
                <IconButton label="Clear the answer" size="small" onClick={clear} className="-mt-1 -me-1.5">
                  <X aria-hidden size={15} />
                </IconButton>
              )}
            </div>
            <RunAnswer view={view} agentSlug="platform-agent" />
            {!running && view.status !== 'success' && (
              <Button size="small" className="mt-3" onClick={() => startRun({ intent: lastRequest })}>
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
