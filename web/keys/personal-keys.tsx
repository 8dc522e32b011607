import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { useProviders } from '#web/queries/use-providers.ts'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { keysKey, usePersonalKeys } from './key-queries.ts'
import { useKeyTrial } from './key-trial-note.tsx'
import { PersonalKeyRow } from './personal-key-row.tsx'

interface KeyDraft {
  provider: Provider
  key: string
}

export function PersonalKeys() {
  const providers = useProviders()
  const list = usePersonalKeys()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState<KeyDraft>()
  const [providerToRemove, setProviderToRemove] = useState<Provider>()
  const { showNotice, clearNotice, noticeBanner } = useNotice('mb-4')
  const trial = useKeyTrial(keys.tryPersonal)

  const save = useMutation({
    mutationFn: (body: { provider: Provider; apiKey: string }) => call(keys.savePersonal, { body }),
    onMutate: () => {
      clearNotice()
      trial.reset()
    },
    onSuccess: (_, submitted) => {
      // The field may hold another key by now.
      setDraft((current) => (isStillInField(current, submitted) ? undefined : current))
      showNotice('success', `Successfully added ${getProviderName(submitted.provider)} API key!`)
      trial.start(submitted.provider)
      return queryClient.invalidateQueries({ queryKey: keysKey })
    },
    onError: (reason, submitted) => {
      if (!getKeyError(reason) || !isStillInField(draft, submitted))
        showError('Failed to save API key. Please try again.', reason)
    },
  })

  const showError = (text: string, reason: unknown) => showNotice('error', text, getServerMessage(reason))

  async function remove(provider: Provider) {
    clearNotice()
    try {
      await call(keys.removePersonal, { params: { provider } })
      showNotice('success', `Successfully deleted ${getProviderName(provider)} API key!`)
    } catch (reason) {
      showError('Failed to delete API key. Please try again.', reason)
    }
    await queryClient.invalidateQueries({ queryKey: keysKey })
  }

  function startAdding(provider: Provider | undefined) {
    save.reset()
    setDraft(provider === undefined ? undefined : { provider, key: '' })
  }

  return (
    <div className="max-w-[860px]">
      <p className="mb-4 max-w-[72ch] text-muted-foreground">
        Your own key comes first. Without one, Keeper uses the platform’s key; without either, agents give mock
        responses. Keys are stored encrypted, and only a masked version is ever shown.
      </p>
      {noticeBanner}
      {!list.data ? (
        <QueryState
          query={list}
          skeleton={<SkeletonRows count={providers.length} rowClassName="h-[74px] w-full phone:h-[106px]" />}
          title="Failed to load your API keys. Please try again."
        >
          The keys themselves are safe on the server.
        </QueryState>
      ) : (
        <ul className="rounded-lg border border-border bg-card shadow-e1">
          {providers.map(({ id: provider }) => (
            <PersonalKeyRow
              key={provider}
              provider={provider}
              personal={list.data.keys.find((key) => key.provider === provider)}
              hasPlatformKey={list.data.platform.includes(provider)}
              localHost={list.data.localHosts[provider]}
              draftKey={draft?.provider === provider ? draft.key : undefined}
              saving={save.isPending}
              error={save.variables && isStillInField(draft, save.variables) ? getKeyError(save.error) : undefined}
              trial={trial.getTrial(provider)}
              onAdd={() => startAdding(provider)}
              onKeyChange={(key) => setDraft({ provider, key })}
              onCancel={() => startAdding(undefined)}
              onSave={(apiKey) => save.mutate({ provider, apiKey })}
              onRemove={() => setProviderToRemove(provider)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={providerToRemove !== undefined}
        onOpenChange={(open) => !open && setProviderToRemove(undefined)}
        title={withNames`Delete your ${providerToRemove ? getProviderName(providerToRemove) : ''} API key?`}
        confirmLabel="Delete Key"
        busyLabel="Deleting..."
        onConfirm={() => providerToRemove && remove(providerToRemove)}
      >
        Agents you run will use the platform’s key instead, or give mock responses if there is none.
      </ConfirmDialog>
    </div>
  )
}

function isStillInField(draft: KeyDraft | undefined, submitted: { provider: Provider; apiKey: string }): boolean {
  return draft?.provider === submitted.provider && draft.key.trim() === submitted.apiKey
}

function getKeyError(reason: unknown): string | undefined {
  return reason instanceof ApiError ? reason.fields?.apiKey : undefined
}
