import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { registryAddress } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { useAgentEditing, useAgentFields } from './agent-editor.tsx'
import { checkAgentForm, checklist } from './check-agent-form.ts'

export const agentFormId = 'agent-form'

/** Its name as it is typed, and the two ways out of the form. */
export function AgentFormHeader() {
  const navigate = useNavigate()
  const { agent, readOnly, discard } = useAgentEditing()
  const { watch, formState } = useAgentFields()
  const { isDirty, isSubmitting } = formState
  const values = watch()
  const [asking, setAsking] = useState(false)
  const ready = checklist(values, checkAgentForm(values, agent?.slug)).every((item) => item.met)

  function leave() {
    discard()
    navigate(registryAddress)
  }

  return (
    <PageHeader
      before={
        <AgentSeal
          agent={{
            name: values.name || 'New',
            agent_class: values.agent_class,
            config: { theme_color: values.theme_color, avatar: values.avatar.trim() || undefined },
          }}
          size={48}
        />
      }
      title={values.name.trim() || (agent ? agent.name : 'New agent')}
      actions={
        <>
          <span role="status" className="me-1 text-small text-muted-foreground empty:hidden phone:hidden">
            {isDirty && !readOnly ? 'Unsaved' : ''}
          </span>
          <Button variant="plain" onClick={() => (isDirty && !readOnly ? setAsking(true) : leave())}>
            {readOnly ? 'Back' : 'Cancel'}
          </Button>
          {!readOnly && (
            <Button
              type="submit"
              form={agentFormId}
              variant="primary"
              disabled={!ready}
              busy={isSubmitting}
              busyLabel={agent ? 'Updating Agent...' : 'Creating Agent...'}
            >
              {agent ? 'Update Agent' : 'Create Agent'}
            </Button>
          )}
          <ConfirmDialog
            open={asking}
            onOpenChange={setAsking}
            title="Discard what you typed?"
            cancelLabel="Keep editing"
            confirmLabel="Discard"
            onConfirm={leave}
          >
            {agent ? `${agent.name} stays as it was saved.` : 'The new agent is not created, and its draft goes.'}
          </ConfirmDialog>
        </>
      }
    />
  )
}
