import { useQueryClient } from '@tanstack/react-query'
import { FileUp, Plus, RefreshCw, ScrollText } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { getEditPath, logsPath, newAgentPath } from '../agent-addresses.ts'
import { type AgentList, agentsKey, useAgentList } from '../agent-queries.ts'
import { AgentEditor, useAgentDraft, useAgentEditing } from '../form/agent-editor.tsx'
import { AgentFormHeader } from '../form/agent-form-header.tsx'
import { type AgentLoadState, AgentTab } from '../form/agent-tab.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { RegistrySkeleton } from './agent-list-states.tsx'
import { useTestRuns } from './use-test-runs.ts'

const AgentRegistry = lazy(() => import('./agent-registry.tsx').then((module) => ({ default: module.AgentRegistry })))
const CreatedBanner = lazy(() => import('./created-banner.tsx').then((module) => ({ default: module.CreatedBanner })))
const KeeperTypesTab = lazy(() =>
  import('./keeper-types-tab.tsx').then((module) => ({ default: module.KeeperTypesTab })),
)
const ImportDialog = lazy(() => import('../versions/import-dialog.tsx'))
const TestRuns = lazy(() => import('./test-runs.tsx').then((module) => ({ default: module.TestRuns })))

const tabs = ['registry', 'agent', 'keeper-types'] as const
type TabId = (typeof tabs)[number]

export function ManageAgentsPage() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { showNotice, noticeBanner } = useNotice('mb-5')
  const [createdAgent, setCreatedAgent] = useState<Agent>()
  const { user } = useAuth()
  const { data, isPending } = useAgentList()
  const agentId = params.get('agentId')
  const selectedAgent = data?.agents.find((agent) => agent.id === agentId || agent.slug === agentId)
  const missingState = isPending ? 'loading' : getMissingState(data)
  const state = agentId === null || selectedAgent ? 'found' : missingState

  return (
    <AgentEditor
      key={state === 'loading' || state === 'failed' ? 'loading' : (selectedAgent?.id ?? agentId ?? 'new')}
      agent={selectedAgent ?? null}
      personId={user?.id}
      onSaved={(agent, isNew) => {
        if (isNew) setCreatedAgent(agent)
        else showNotice('success', `Updated ${agent.name}.`)
        navigate(pathname)
      }}
    >
      <ManageAgents
        selectedAgent={selectedAgent}
        state={state}
        banner={noticeBanner}
        createdAgent={createdAgent}
        onDismissCreated={() => setCreatedAgent(undefined)}
        onDeleted={(agent) => {
          setCreatedAgent(undefined)
          showNotice('success', `Deleted ${agent.name}.`)
          if (agent.id === selectedAgent?.id) navigate(pathname, { replace: true })
        }}
        onImported={(agent) => showNotice('success', `Imported ${agent.name}.`)}
        personId={user?.id}
      />
    </AgentEditor>
  )
}

/** Only a list from the server proves that an agent doesn’t exist. */
function getMissingState(list: AgentList | undefined): AgentLoadState {
  return list?.source === 'server' ? 'not-found' : 'failed'
}

interface ManageAgentsProps {
  selectedAgent: Agent | undefined
  state: AgentLoadState
  banner: ReactNode
  createdAgent: Agent | undefined
  onDismissCreated: () => void
  onDeleted: (agent: Agent) => void
  onImported: (agent: Agent) => void
  personId: string | undefined
}

function ManageAgents({
  selectedAgent,
  state,
  banner,
  createdAgent,
  onDismissCreated,
  onDeleted,
  onImported,
  personId,
}: ManageAgentsProps) {
  const queryClient = useQueryClient()
  const [isImporting, setImporting] = useState(false)
  const [params, setParams] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const list = useAgentList()
  const { data, refetch, isFetching } = list
  const { runInput, isRunning, activeRuns, outcome, dismiss } = useTestRuns()
  const removal = useDeleteAgent(onDeleted)
  const { readOnly, isDirty } = useAgentEditing()
  const tab = tabs.find((id) => id === params.get('tab')) ?? 'registry'
  const currentAgentId = params.get('agentId')

  const isSameEditor = useCallback(
    (address: URL) => address.pathname === pathname && (address.searchParams.get('agentId') ?? null) === currentAgentId,
    [pathname, currentAgentId],
  )
  const leaveDialog = useLeaveGuard(tab === 'agent' && state === 'found' && isDirty && !readOnly, isSameEditor)

  function openTab(id: TabId) {
    setParams((previous) => {
      const next = new URLSearchParams(previous)
      if (id === 'registry') next.delete('tab')
      else next.set('tab', id)
      return next
    })
  }

  return (
    <>
      {tab === 'agent' && state === 'found' ? (
        <AgentFormHeader />
      ) : (
        <PageHeader
          title="Manage Agents"
          actions={
            <>
              <Button variant="plain" onClick={() => setImporting(true)} icon={<FileUp aria-hidden size={15} />}>
                Import
              </Button>
              <LinkButton to={logsPath} variant="plain" icon={<ScrollText aria-hidden size={15} />}>
                View Logs
              </LinkButton>
              <Button
                variant="plain"
                busy={isFetching}
                onClick={() => refetch()}
                icon={<RefreshCw aria-hidden size={14} />}
              >
                Refresh
              </Button>
              <Button
                variant="primary"
                onClick={() => navigate(newAgentPath)}
                aria-keyshortcuts="N"
                icon={<Plus aria-hidden size={15} />}
              >
                Create New Agent
              </Button>
            </>
          }
        />
      )}
      <Tabs
        label="Manage Agents"
        tabs={[
          { id: 'registry', label: 'Registry', count: data?.source === 'server' ? data.agents.length : undefined },
          { id: 'agent', label: 'Agent' },
          { id: 'keeper-types', label: 'Keeper Types' },
        ]}
        value={tab}
        onValueChange={openTab}
      >
        {tab === 'registry' && banner}
        {tab === 'registry' && createdAgent && (
          <Suspense fallback={null}>
            <CreatedBanner
              agent={createdAgent}
              onRun={() => runInput.onOpen(createdAgent)}
              onDismiss={onDismissCreated}
            />
          </Suspense>
        )}
        {tab === 'registry' && (
          <Suspense fallback={<RegistrySkeleton />}>
            <AgentRegistry
              personId={personId}
              isRunning={isRunning}
              runInput={runInput}
              onEdit={(agent) => navigate(getEditPath(agent.id))}
              onDelete={removal.confirmDelete}
              emptyAction={
                <Button variant="primary" onClick={() => navigate(newAgentPath)}>
                  Create New Agent
                </Button>
              }
            />
          </Suspense>
        )}
        {tab === 'agent' && <AgentTab state={state} list={list} />}
        {tab === 'keeper-types' && (
          <Suspense fallback={null}>
            <KeeperTypesTab agent={selectedAgent} state={state} list={list} />
          </Suspense>
        )}
      </Tabs>
      <Suspense fallback={null}>
        {(activeRuns.length > 0 || outcome) && <TestRuns activeRuns={activeRuns} outcome={outcome} onClose={dismiss} />}
      </Suspense>
      {removal.dialog}
      {isImporting && (
        <Suspense fallback={null}>
          <ImportDialog
            onClose={() => setImporting(false)}
            onImported={(agent) => {
              setImporting(false)
              openTab('registry')
              onImported(agent)
              void queryClient.invalidateQueries({ queryKey: agentsKey })
            }}
          />
        </Suspense>
      )}
      {leaveDialog}
    </>
  )
}

function useDeleteAgent(onDeleted: (agent: Agent) => void) {
  const queryClient = useQueryClient()
  const [agent, setAgent] = useState<Agent>()
  const draft = useAgentDraft(agent ?? null)

  async function remove(agentToDelete: Agent) {
    await call(agents.remove, { query: { id: agentToDelete.id }, body: { id: agentToDelete.id } })
    void draft.clear()
    onDeleted(agentToDelete)
    await queryClient.invalidateQueries({ queryKey: agentsKey })
  }

  const dialog = agent && (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && setAgent(undefined)}
      title={withNames`Delete ${agent.name}?`}
      confirmLabel="Delete Agent"
      busyLabel="Deleting..."
      onConfirm={() => remove(agent)}
      formatError={(reason) => getReasonText(reason, 'Failed to delete agent')}
    >
      Are you sure you want to delete <bdi>{agent.name}</bdi>? This action cannot be undone and will permanently remove
      the agent and all its data.
    </ConfirmDialog>
  )
  return { confirmDelete: setAgent, dialog }
}

/** Doesn't guard addresses where `isSafeAddress` is true, nor going back, because the draft survives in this tab. */
export function useLeaveGuard(unsaved: boolean, isSafeAddress: (address: URL) => boolean) {
  const navigate = useNavigate()
  const [targetAddress, setTargetAddress] = useState<string>()

  useEffect(() => {
    if (!unsaved) return
    function handleBeforeUnload(event: BeforeUnloadEvent) {
      event.preventDefault()
    }
    function handleClick(event: MouseEvent) {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download')) return
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const address = new URL(link.href)
      if (address.origin !== location.origin || isSafeAddress(address)) return
      event.preventDefault()
      event.stopPropagation()
      setTargetAddress(address.pathname + address.search + address.hash)
    }
    addEventListener('beforeunload', handleBeforeUnload)
    document.addEventListener('click', handleClick, { capture: true })
    return () => {
      removeEventListener('beforeunload', handleBeforeUnload)
      document.removeEventListener('click', handleClick, { capture: true })
    }
  }, [unsaved, isSafeAddress])

  return (
    <ConfirmDialog
      open={targetAddress !== undefined}
      onOpenChange={(open) => !open && setTargetAddress(undefined)}
      title="Leave with unsaved changes?"
      tone="primary"
      cancelLabel="Stay"
      confirmLabel="Leave"
      onConfirm={() => targetAddress && navigate(targetAddress)}
    >
      Your changes aren’t saved. They stay in this tab as a draft until you come back.
    </ConfirmDialog>
  )
}
