import { Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { sole } from '#contract/keepers/sole.ts'
import { stream } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { useSoleParts } from './sole-parts.ts'
import type { Sole } from './use-sole.ts'

interface AskForDraftProps {
  sole: Sole
  /** The draft asked for is there; not called when its person went on to something else meanwhile. */
  onMade: (version: number) => void
}

/** Has an agent draft the SOLE from the cards, and shows it at work. */
export function AskForDraft({ sole: { keeperId, demo, versions, draft, refresh }, onMade }: AskForDraftProps) {
  const { useRun, useAgents } = useSoleParts()
  const agents = useAgents()
  const run = useRun()
  const [agentId, setAgentId] = useState('')
  const [refused, setRefused] = useState(false)
  const section = useRef<HTMLElement>(null)

  async function ask() {
    setRefused(false)
    const body = agentId ? { agentId } : {}
    await run.begin((signal, hear) => stream(sole.askForDraft, { params: { id: keeperId }, body, signal }, hear))
    await refresh()
    setRefused(true)
  }

  // Decided on, it is no draft any more, and was submitted all the same.
  const submitted = versions.find(({ runId }) => runId !== null && runId === run.runId)?.version
  useEffect(() => {
    const at = document.activeElement
    if (submitted !== undefined && (at === document.body || section.current?.contains(at))) onMade(submitted)
  }, [submitted, onMade])

  return (
    <section ref={section} aria-labelledby="ask-for-draft">
      <h2 id="ask-for-draft" className="mb-2 text-[17px]">
        Ask an agent for a draft
      </h2>
      <p className="mb-3 text-ui text-muted-foreground">
        It is given the memory cards an agent may see, the approved statements, and why earlier drafts were rejected.
      </p>
      <SelectField
        label="Agent"
        value={agentId}
        onChange={(event) => setAgentId(event.currentTarget.value)}
        disabled={run.status === 'running'}
        options={[
          { value: '', label: 'The platform’s own' },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Button
        className="mt-3"
        busy={run.status === 'running'}
        busyLabel="Drafting..."
        disabled={demo || draft !== undefined}
        onClick={ask}
        icon={<Sparkles aria-hidden size={15} />}
      >
        Ask for a draft
      </Button>
      {demo && <p className="mt-2 text-small text-muted-foreground">This is a sample. No agent is asked for it.</p>}
      {!demo && draft && (
        <p className="mt-2 text-small text-muted-foreground">A draft is already waiting. Approve or reject it first.</p>
      )}
      {run.status && (
        <div className="mt-4 border-t border-hairline pt-3.5">
          {run.shown}
          {run.status === 'success' && refused && submitted === undefined && (
            <Banner tone="error" className="mt-3">
              The agent submitted no draft that holds.{run.toolResult ? ` ${run.toolResult}` : ' Try again.'}
            </Banner>
          )}
        </div>
      )}
    </section>
  )
}
