import type { KeyboardEvent } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { useGoldenGate } from '../golden/golden-gate.tsx'
import { GoldenPanel } from '../golden/golden-panel.tsx'
import { isSample } from '../sample-agents.ts'
import { SharingPart } from '../sharing/sharing-part.tsx'
import { AgentFigures } from '../usage/agent-figures.tsx'
import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { agentFormId } from './agent-form-header.tsx'
import { BeforeItCanBeSaved } from './before-it-can-be-saved.tsx'
import { HowItWillRun } from './how-it-will-run.tsx'
import { IdentitySection } from './identity-section.tsx'
import { LeadSection } from './lead-section.tsx'
import { ModelSection, RetrySection } from './model-section.tsx'
import { ReachSection } from './reach-section.tsx'
import { StaleDialog } from './stale-dialog.tsx'
import { StatusNotice } from './status-notice.tsx'
import { TryIt } from './try-it.tsx'
import { VisitorsSection } from './visitors-section.tsx'

export function AgentForm() {
  const { agent, readOnly, draftRestored, problem, save, discard } = useAgentEditing()
  const { handleSubmit, formState } = useAgentFields()
  const { saveOrAsk, gate } = useGoldenGate(agent, save)
  const submit = handleSubmit(saveOrAsk)

  function keyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter') return
    // The search for people is no part of what is saved.
    if (event.target instanceof HTMLElement && event.target.role === 'searchbox') return event.preventDefault()
    if (!(event.ctrlKey || event.metaKey) || readOnly) return
    event.preventDefault()
    void submit()
  }

  return (
    <>
      <div className="mb-5 flex flex-col gap-2 empty:hidden">
        {problem && <Banner tone="error">{problem}</Banner>}
        {readOnly && agent && <Banner tone="info">{whyReadOnly(agent)}</Banner>}
        {draftRestored && formState.isDirty && (
          <Banner
            tone="info"
            action={
              <Button size="small" variant="plain" onClick={discard}>
                Discard
              </Button>
            }
          >
            What you typed before is here again. It is not saved yet.
          </Banner>
        )}
        {agent?.status === 'error' && !readOnly && <StatusNotice />}
      </div>
      <h2 className="sr-only">Its settings</h2>
      <form
        id={agentFormId}
        noValidate
        onSubmit={submit}
        onKeyDown={keyDown}
        className="grid grid-cols-[minmax(0,1fr)_300px] items-start gap-10 max-[1180px]:grid-cols-1"
      >
        <div className="min-w-0">
          <fieldset disabled={readOnly} className="min-w-0">
            <IdentitySection />
            <ReachSection />
            <LeadSection />
            <VisitorsSection />
            <ModelSection />
            <RetrySection />
          </fieldset>
          <SharingPart />
        </div>
        <div className="flex min-w-0 flex-col gap-3.5">
          <HowItWillRun />
          {agent && !isSample(agent) && <AgentFigures agentId={agent.id} />}
          {!readOnly && <BeforeItCanBeSaved />}
          <TryIt />
        </div>
      </form>
      {agent && !readOnly && <GoldenPanel key={agent.id} agent={agent} unsaved={formState.isDirty} />}
      {gate}
      <StaleDialog />
    </>
  )
}

function whyReadOnly({ owner_id, visibility, status, may }: Agent): string {
  if (owner_id === null) return 'This agent comes with Keeper. You can run it; who runs this server can change it.'
  const run =
    may.run || status !== 'ready' ? 'You can run it.' : 'You may not run it either; ask its owner for the right.'
  if (visibility !== 'shared') return `Only its owner can change this agent. ${run}`
  return `It is shared with you, without the right to change it. ${run}`
}
