import { useQueryClient } from '@tanstack/react-query'
import { Plus, Server } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys, type PlatformKey, type PlatformKeyList, type PlatformKeyStats } from '#contract/keys/keys.ts'
import type { ModelService } from '#contract/providers/model-services.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { ApiError, callEnvelope, getServerMessage } from '#web/api/api.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { AnchorButton, Button, RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { LoadingText } from '#web/ui/panels/loading-text.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { StatTile } from '#web/ui/panels/stat-tile.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { getPlatformLoadErrorText, keysKey, useModelServices, usePlatformKeys } from './key-queries.ts'
import { useKeyTrial, useServiceTrial } from './key-trial-note.tsx'
import { ModelServiceDialog, RemoveModelServiceDialog } from './model-services/model-service-dialog.tsx'
import { toSentence } from './model-services/service-values.ts'
import { PlatformKeyCard } from './platform-key-card.tsx'
import { PlatformKeyForm } from './platform-key-form.tsx'

type KeyEditing = { provider: Provider; existingKey: PlatformKey | undefined }

const emptyList: PlatformKeyList = {
  keys: [],
  stats: { total: 0, active: 0, byProvider: {}, hasActiveKeys: false },
  local_hosts: {},
}

export function PlatformKeysPage() {
  const providers = useProviders()
  const { isAuthenticated, isLoading, access, accessError, refetchAccess } = useAuth()
  const { pathname } = useLocation()
  const isPermitted = access?.permissions.includes('manage_api_keys')
  const list = usePlatformKeys(isPermitted === true)
  const [editing, setEditing] = useState<KeyEditing>()
  const [providerToRemove, setProviderToRemove] = useState<Provider>()
  const services = useModelServices(isPermitted === true)
  const [editedService, setEditedService] = useState<ModelService | 'new'>()
  const [serviceToRemove, setServiceToRemove] = useState<ModelService>()
  const { showNotice, noticeBanner } = useNotice('mb-5')
  const serviceTrial = useServiceTrial()
  const keyTrial = useKeyTrial(keys.tryPlatform)

  const failure = accessError ?? list.error
  if (isLoading || (isAuthenticated && isPermitted === undefined && !accessError))
    return (
      <PageFrame>
        <LoadingText>Authenticating...</LoadingText>
      </PageFrame>
    )
  if (!isAuthenticated) {
    return (
      <PageFrame>
        <Banner
          tone="warning"
          action={
            <AnchorButton size="small" href={`/login?next=${encodeURIComponent(pathname)}`}>
              Sign in
            </AnchorButton>
          }
        >
          Authentication required to access platform API keys.
        </Banner>
      </PageFrame>
    )
  }
  const isForbidden = list.error instanceof ApiError && list.error.status === 403
  if (isPermitted === false || isForbidden)
    return (
      <PageFrame>
        <EmptyPanel
          drawing="seal"
          title="Your account can’t manage platform keys"
          action={<LinkButton to="/root/api-keys">Personal API Keys</LinkButton>}
        >
          You need the permission manage_api_keys. Ask your administrator for a role that has it.
        </EmptyPanel>
      </PageFrame>
    )
  if (!failure && list.isPending)
    return (
      <PageFrame>
        <LoadingText>Loading platform API keys...</LoadingText>
      </PageFrame>
    )

  const { keys: storedKeys, stats, local_hosts } = list.data && !failure ? list.data : emptyList
  return (
    <PageFrame
      actions={
        <>
          <Button icon={<Server aria-hidden size={15} />} onClick={() => setEditedService('new')}>
            Add a service
          </Button>
          <Button
            variant="primary"
            icon={<Plus aria-hidden size={15} />}
            onClick={() => setEditing({ provider: 'openai', existingKey: undefined })}
          >
            Add New Platform API Key
          </Button>
        </>
      }
    >
      {noticeBanner}
      {failure && (
        <ErrorPanel
          className="mb-5"
          title={getPlatformLoadErrorText(failure)}
          onRetry={accessError ? refetchAccess : () => list.refetch()}
          retrying={list.isFetching}
          reason={failure}
        >
          The keys themselves are safe on the server.
        </ErrorPanel>
      )}
      {services.isError && !failure && (
        <Banner
          tone="warning"
          className="mb-5"
          action={<RetryButton busy={services.isFetching} onClick={() => services.refetch()} />}
        >
          The services couldn’t be loaded, so you can’t edit them right now. Agents keep using them.
        </Banner>
      )}
      <PlatformKeyStatTiles stats={stats} />
      {!stats.hasActiveKeys && !failure && (
        <Banner tone="warning" className="mb-5">
          There are no active platform keys. Users without personal keys get mock responses
          {Object.keys(local_hosts).length > 0 && ', except from the local servers below'}.
        </Banner>
      )}
      {editing && (
        <PlatformKeyForm
          key={`${editing.provider}${editing.existingKey !== undefined}`}
          {...editing}
          storedKeys={storedKeys}
          localHosts={local_hosts}
          onCancel={() => setEditing(undefined)}
          onSaved={(provider, text, isDone) => {
            // The form may hold another key by now.
            if (isDone) setEditing((current) => (current === editing ? undefined : current))
            showNotice('success', text)
            keyTrial.start(provider)
          }}
          onFailed={(text) => showNotice('error', text)}
        />
      )}
      <h2 className="sr-only">Providers</h2>
      <ul className="grid grid-cols-2 gap-4 max-[1100px]:grid-cols-1">
        {providers.map(({ id: provider }) => {
          const key = storedKeys.find((candidate) => candidate.provider === provider)
          const service = services.data?.find(({ id }) => id === provider)
          return (
            <PlatformKeyCard
              key={provider}
              provider={provider}
              storedKey={key}
              trial={keyTrial.getTrial(provider)}
              localHost={local_hosts[provider]}
              service={
                service && {
                  service,
                  trial: serviceTrial.getTrial(provider),
                  onEdit: () => setEditedService(service),
                  onRemove: () => {
                    setServiceToRemove(service)
                    // The number of agents that use it may have changed.
                    void services.refetch()
                  },
                }
              }
              onEdit={() => setEditing({ provider, existingKey: key })}
              onRemove={() => setProviderToRemove(provider)}
            />
          )
        })}
      </ul>
      <RemovePlatformKeyDialog
        provider={providerToRemove}
        onClose={() => setProviderToRemove(undefined)}
        onRemoved={(text) => showNotice('success', text)}
        onFailed={(text) => showNotice('error', text)}
      />
      {editedService && (
        <ModelServiceDialog
          service={editedService === 'new' ? undefined : editedService}
          maskedKey={
            editedService === 'new'
              ? undefined
              : storedKeys.find(({ provider }) => provider === editedService.id)?.maskedKey
          }
          onClose={() => setEditedService(undefined)}
          onSaved={({ id, name, correction }) => {
            setEditedService(undefined)
            showNotice('success', `${name} saved.${correction ? ` ${toSentence(correction)}` : ''}`)
            serviceTrial.start(id)
          }}
        />
      )}
      <RemoveModelServiceDialog
        service={serviceToRemove && (services.data?.find(({ id }) => id === serviceToRemove.id) ?? serviceToRemove)}
        onClose={() => setServiceToRemove(undefined)}
        onRemoved={(text) => showNotice('success', text)}
      />
    </PageFrame>
  )
}

function PageFrame({ actions, children }: { actions?: React.ReactNode; children: React.ReactNode }) {
  return (
    <>
      <PageHeader
        title="Platform API Keys"
        subtitle="Fallback keys, managed by system administrators, for people who don’t have their own."
        actions={actions}
      />
      {children}
    </>
  )
}

function PlatformKeyStatTiles({ stats }: { stats: PlatformKeyStats }) {
  const providerCount = Object.values(stats.byProvider).filter((count) => count > 0).length
  return (
    <div className="mb-5 grid grid-cols-4 gap-x-6 gap-y-4 border-b border-border pb-5 phone:grid-cols-2">
      <StatTile label="Total Keys" value={stats.total} />
      <StatTile label="Active Keys" value={stats.active} />
      <StatTile label="Providers" value={providerCount} />
      <StatTile
        label="Status"
        value={stats.hasActiveKeys ? 'Healthy' : 'Warning'}
        tone={stats.hasActiveKeys ? 'success' : 'neutral'}
      />
    </div>
  )
}

interface RemovePlatformKeyDialogProps {
  provider: Provider | undefined
  onClose: () => void
  onRemoved: (text: string) => void
  onFailed: (text: string) => void
}

function RemovePlatformKeyDialog({ provider, onClose, onRemoved, onFailed }: RemovePlatformKeyDialogProps) {
  const queryClient = useQueryClient()
  const name = provider ? getProviderName(provider) : ''

  async function remove() {
    if (!provider) return
    try {
      const { message } = await callEnvelope(keys.removePlatform, { params: { provider } })
      onRemoved(typeof message === 'string' && message ? message : `Platform key for ${name} deleted.`)
    } catch (reason) {
      onFailed(getServerMessage(reason) ?? 'Failed to delete platform key')
    }
    await queryClient.invalidateQueries({ queryKey: keysKey })
  }

  return (
    <ConfirmDialog
      open={provider !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Delete the ${name} platform key?`}
      confirmLabel="Delete Key"
      busyLabel="Deleting..."
      onConfirm={remove}
    >
      Are you sure you want to delete the {name} platform key?
    </ConfirmDialog>
  )
}
