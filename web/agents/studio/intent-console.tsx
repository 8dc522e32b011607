import { Send, Square, X } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { toSlug } from '#contract/agents/agent-slug.ts'
import { type AgentProposal, agentProposal, proposeAgentTool } from '#contract/agents/intent.ts'
import type { ToolCall } from '#contract/agents/tools.ts'
import { sentDraftPrefix } from '#web/offline/unsent-work.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { DetailList } from '#web/ui/panels/detail-list.tsx'
import { AgentSeal } from '../agent-seal.tsx'
import { useFillAgentForm } from '../form/agent-editor.tsx'
import { type AgentFormValues, joinNames, toNewAgentValues } from '../form/agent-form-values.ts'
import { ClassBadge } from '../registry/agent-card.tsx'
import { RunAnswer } from '../runs/run-answer.tsx'
import { useRun } from '../runs/run-store.ts'

interface SavedIntent {
  input: string
  runId: string
}

export function IntentConsole({ personId }: { personId: string }) {
  const savedIntent = useDraft<SavedIntent | null>(`${sentDraftPrefix}intent-${personId}`, null)
  const { view, start, stop, forget } = useRun()
  const { value: input, set: setInput, clear: clearInput } = useDraft(`kept/intent-line-${personId}`, '')
  const [lastRequest, setLastRequest] = useState<string>()
  const running = view?.status === 'running'
  const proposal = view && findProposal(view.tools)

  const previousIntent = savedIntent.ready ? savedIntent.value : null
  const resume = useEffectEvent((intent: SavedIntent) => {
    if (lastRequest !== undefined) return
    setLastRequest(intent.input)
    void start({ runId: intent.runId })
  })
  useEffect(() => {
    if (previousIntent) resume(previousIntent)
  }, [previousIntent])

  const runId = view?.runId
  const save = useEffectEvent((startedId: string) => {
    if (lastRequest === undefined) return
    savedIntent.set({ input: lastRequest, runId: startedId })
    // The server has the request now.
    if (input.trim() === lastRequest) void clearInput()
  })
  useEffect(() => {
    if (runId) save(runId)
  }, [runId])

  function changeInput(text: string) {
    if (text === '') void clearInput()
    else setInput(text)
  }

  function submitIntent(event: FormEvent) {
    event.preventDefault()
    const request = input.trim()
    if (request === '' || running) return
    void savedIntent.clear()
    setLastRequest(request)
    void start({ intent: request })
  }

  function clear() {
    void savedIntent.clear()
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
            onChange={(event) => changeInput(event.currentTarget.value)}
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
              <Button size="small" className="mt-3" onClick={() => start({ intent: lastRequest })}>
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

/** A proposed agent. Nothing is created until Create Agent is pressed in its form. */
function ProposalCard({ proposal }: { proposal: AgentProposal }) {
  const { fillForm, replaceDialog } = useFillAgentForm('Opening this proposal replaces them.')
  const values = toProposalValues(proposal)
  const agentClass = values.agent_class

  return (
    <Card className="flex flex-col gap-3" role="group" aria-label={`Proposed agent: ${proposal.name}`}>
      <div className="flex items-center gap-3">
        <AgentSeal agent={{ name: proposal.name, agent_class: agentClass }} size={42} className="shrink-0" />
        <div className="min-w-0 flex-1">
          <h3 dir="auto" className="font-serif text-h3 wrap-break-word">
            {proposal.name}
          </h3>
          <p className="flex flex-wrap items-center gap-1.5 text-small text-muted-foreground">
            <ClassBadge agentClass={agentClass} />
            <Badge tone="outlined">proposed, not saved</Badge>
          </p>
        </div>
      </div>
      <p dir="auto" className="text-ui wrap-break-word whitespace-pre-wrap">
        {proposal.purpose}
      </p>
      <DetailList
        valueClassName="font-mono text-code"
        details={[
          ['Tools', values.tools || 'none'],
          ['Model', `${values.model_provider} ${values.model}`],
          ['Scope', values.context_scope || 'General'],
        ]}
      />
      <div>
        <Button variant="primary" onClick={() => fillForm(values)}>
          Open the form
        </Button>
      </div>
      {replaceDialog}
    </Card>
  )
}

function findProposal(tools: readonly ToolCall[]): AgentProposal | undefined {
  const call = tools.findLast(({ name, state }) => name === proposeAgentTool && state === 'done')
  const parsed = call && agentProposal.safeParse(call.arguments)
  return parsed?.success ? parsed.data : undefined
}

export function toProposalValues({ config = {}, model, slug, ...proposal }: AgentProposal): AgentFormValues {
  const { bundle, tagline, personality, capabilities } = config
  return toNewAgentValues({
    ...proposal,
    slug: slug || toSlug(proposal.name),
    bundle,
    tagline,
    personality,
    capabilities: joinNames(capabilities),
    model_settings: model ? { model } : {},
  })
}
