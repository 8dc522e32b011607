import { Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { sole } from '#contract/keepers/sole.ts'
import { stream } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { useSoleParts } from './sole-parts.ts'
import type { Sole } from './use-sole.ts'

interface RequestDraftProps {
  sole: Sole
  /** Called when the draft arrives, unless focus has moved elsewhere. */
  onCreated: (version: number) => void
}

export function RequestDraft({ sole: { keeperId, demo, versions, draft, refresh }, onCreated }: RequestDraftProps) {
  const { useRun, useAgents } = useSoleParts()
  const agents = useAgents()
  const run = useRun()
  const [agentId, setAgentId] = useState('')
  const [hasRefreshed, setHasRefreshed] = useState(false)
  const sectionRef = useRef<HTMLElement>(null)

  async function requestDraft() {
    setHasRefreshed(false)
    const body = agentId ? { agentId } : {}
    await run.start((signal, onEvent) => stream(sole.askForDraft, { params: { id: keeperId }, body, signal }, onEvent))
    await refresh()
    setHasRefreshed(true)
  }

  // Looked up in all versions, because a decided draft is no longer a draft.
  const submittedVersion = versions.find(({ runId }) => runId !== null && runId === run.runId)?.version
  useEffect(() => {
    const focusedElement = document.activeElement
    if (
      submittedVersion !== undefined &&
      (focusedElement === document.body || sectionRef.current?.contains(focusedElement))
    )
      onCreated(submittedVersion)
  }, [submittedVersion, onCreated])

  return (
    <section ref={sectionRef} aria-labelledby="ask-for-draft">
      <h2 id="ask-for-draft" className="mb-2 text-[17px]">
        Ask an agent for a draft
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        The agent reads the memory cards visible to agents, the approved statements, and why earlier drafts were
        rejected.
      </p>
      <SelectField
        label="Agent"
        value={agentId}
        onChange={(event) => setAgentId(event.currentTarget.value)}
        disabled={run.status === 'running'}
        options={[
          { value: '', label: 'Platform agent' },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Button
        className="mt-3"
        busy={run.status === 'running'}
        busyLabel="Drafting..."
        disabled={demo || draft !== undefined}
        onClick={requestDraft}
        icon={<Sparkles aria-hidden size={15} />}
      >
        Ask for a draft
      </Button>
      {demo && <p className="mt-2 text-small text-muted-foreground">This is a sample, so no agent is asked.</p>}
      {!demo && draft && (
        <p className="mt-2 text-small text-muted-foreground">A draft is already waiting. Approve or reject it first.</p>
      )}
      {run.status && (
        <div className="mt-4 border-t border-hairline pt-3.5">
          {run.content}
          {run.status === 'success' && hasRefreshed && submittedVersion === undefined && (
            <Banner tone="error" className="mt-3">
              The agent didn’t submit a valid draft.{run.toolResult ? ` ${run.toolResult}` : ' Try again.'}
            </Banner>
          )}
        </div>
      )}
    </section>
  )
}
