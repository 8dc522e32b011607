import { Download, History } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { versions } from '#contract/agents/versions.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { call } from '#web/api/api.ts'
import { saveFile } from '#web/files/save-file.ts'
import { useCrumb } from '#web/page/crumb.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { registryPath } from '../agent-addresses.ts'
import { AgentSeal } from '../agent-seal.tsx'
import { useAgentEditing } from './agent-editor.tsx'
import { hasRequiredFields } from './check-agent-form.ts'

const VersionsDrawer = lazy(() => import('../versions/versions-drawer.tsx'))

export const agentFormId = 'agent-form'

export function AgentSubmitButton({ className }: { className?: string }) {
  const { agent, values, isSaving } = useAgentEditing()
  return (
    <Button
      type="submit"
      form={agentFormId}
      variant="primary"
      className={className}
      disabled={!hasRequiredFields(values)}
      busy={isSaving}
      busyLabel={agent ? 'Updating Agent...' : 'Creating Agent...'}
    >
      {agent ? 'Update Agent' : 'Create Agent'}
    </Button>
  )
}

export function AgentFormHeader() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { agent, readOnly, values, isDirty, discard } = useAgentEditing()
  const [isConfirming, setConfirming] = useState(false)
  const requestedVersion = Number(params.get('version')) || undefined
  const [versionsOpen, setVersionsOpen] = useState(requestedVersion !== undefined)
  const [hasLoadedVersions, setHasLoadedVersions] = useState(versionsOpen)
  useCrumb(agent ? agent.name : 'New agent', { isSubPage: true })

  function discardAndLeave() {
    discard()
    navigate(registryPath)
  }

  return (
    <PageHeader
      leading={
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
      badges={
        <span role="status" className="text-small text-muted-foreground empty:hidden phone:hidden">
          {isDirty && !readOnly ? 'Unsaved' : ''}
        </span>
      }
      actions={
        <>
          {agent?.may.edit && !isSampleAgent(agent) && (
            <Button
              variant="plain"
              icon={<History aria-hidden size={15} />}
              onClick={() => {
                setHasLoadedVersions(true)
                setVersionsOpen(true)
              }}
            >
              Versions
            </Button>
          )}
          {agent && !isSampleAgent(agent) && (
            <Button variant="plain" icon={<Download aria-hidden size={15} />} onClick={() => exportAgent(agent)}>
              Export
            </Button>
          )}
          <Button variant="plain" onClick={() => (isDirty && !readOnly ? setConfirming(true) : discardAndLeave())}>
            {readOnly ? 'Back' : 'Cancel'}
          </Button>
          {!readOnly && <AgentSubmitButton className={isDirty ? 'phone:hidden' : undefined} />}
          <ConfirmDialog
            open={isConfirming}
            onOpenChange={setConfirming}
            title="Discard your changes?"
            cancelLabel="Keep editing"
            confirmLabel="Discard"
            onConfirm={discardAndLeave}
          >
            {agent ? `${agent.name} stays as last saved.` : 'The new agent isn’t created, and its draft is deleted.'}
          </ConfirmDialog>
          {agent?.may.edit && hasLoadedVersions && (
            <Suspense fallback={null}>
              <VersionsDrawer
                agent={agent}
                requestedVersion={requestedVersion}
                open={versionsOpen}
                onOpenChange={setVersionsOpen}
                unsaved={isDirty}
                onRestored={discard}
              />
            </Suspense>
          )}
        </>
      }
    />
  )
}

async function exportAgent(agent: Agent): Promise<void> {
  try {
    const file = await call(versions.exportFile, { params: { agentId: agent.id } })
    const text = `${JSON.stringify(file, null, 2)}\n`
    saveFile(new Blob([text], { type: 'application/json' }), `${agent.slug}.agent.json`)
  } catch (reason) {
    showToast(withNames`${agent.name} couldn’t be exported. ${(reason as Error).message}`)
  }
}
