import type { KeyboardEvent } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
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

export function AgentForm() {
  const { agent, readOnly, draftRestored, problem, save, discard } = useAgentEditing()
  const { handleSubmit, formState } = useAgentFields()
  const submit = handleSubmit(save)

  function keyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || readOnly) return
    event.preventDefault()
    void submit()
  }

  return (
    <>
      <div className="mb-5 flex flex-col gap-2 empty:hidden">
        {problem && <Banner tone="error">{problem}</Banner>}
        {readOnly && <Banner tone="info">{whyReadOnly(agent?.owner_id === null)}</Banner>}
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
        <fieldset disabled={readOnly} className="min-w-0">
          <IdentitySection />
          <ReachSection />
          <LeadSection />
          <ModelSection />
          <RetrySection />
        </fieldset>
        <div className="flex min-w-0 flex-col gap-3.5">
          <HowItWillRun />
          {!readOnly && <BeforeItCanBeSaved />}
          <TryIt />
        </div>
      </form>
      <StaleDialog />
    </>
  )
}

function whyReadOnly(builtIn: boolean): string {
  return builtIn
    ? 'This agent comes with Keeper. You can run it; who runs this server can change it.'
    : 'Only its owner can change this agent. You can run it.'
}
