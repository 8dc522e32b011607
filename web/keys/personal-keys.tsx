import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { useProviders } from '#web/queries/use-providers.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { keysKey, usePersonalKeys } from './key-queries.ts'
import { useKeyTrial } from './key-trial-note.tsx'
import { PersonalKeyRow } from './personal-key-row.tsx'

type KeyNotice = { tone: 'success' | 'error'; text: string; detail?: string }

interface KeyDraft {
  provider: Provider
  key: string
}

export function PersonalKeys() {
  const providers = useProviders()
  const list = usePersonalKeys()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState<KeyDraft>()
  const latestDraft = useRef(draft)
  useEffect(() => {
    latestDraft.current = draft
  })
  const [removing, setRemoving] = useState<Provider>()
  const [notice, setNotice] = useState<KeyNotice>()
  const { tryKey, resetTrial, getTrial } = useKeyTrial(keys.tryPersonal)

  const save = useMutation({
    mutationFn: (body: { provider: Provider; apiKey: string }) => call(keys.savePersonal, { body }),
    onMutate: () => {
      setNotice(undefined)
      resetTrial()
    },
    onSuccess: (_, submitted) => {
      // The field may hold another key by now.
      setDraft((current) => (isStillInField(current, submitted) ? undefined : current))
      setNotice({ tone: 'success', text: `Successfully added ${getProviderName(submitted.provider)} API key!` })
      tryKey(submitted.provider)
      return queryClient.invalidateQueries({ queryKey: keysKey })
    },
    onError: (reason, submitted) => {
      if (!getKeyError(reason) || !isStillInField(latestDraft.current, submitted))
        setNotice(toErrorNotice('Failed to save API key. Please try again.', reason))
    },
  })

  async function remove(provider: Provider) {
    setNotice(undefined)
    try {
      await call(keys.removePersonal, { params: { provider } })
      setNotice({ tone: 'success', text: `Successfully deleted ${getProviderName(provider)} API key!` })
    } catch (reason) {
      setNotice(toErrorNotice('Failed to delete API key. Please try again.', reason))
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
        Your own key comes first. Without one, Keeper uses the platform’s key, if there is one. Keys are stored
        encrypted, and only a masked version is ever shown.
      </p>
      {notice && (
        <Banner
          key={`${notice.text}${save.submittedAt}`}
          tone={notice.tone}
          className="mb-4"
          onDismiss={() => setNotice(undefined)}
        >
          {notice.text}
          {notice.detail && <span className="block text-muted-foreground">{notice.detail}</span>}
        </Banner>
      )}
      {list.isPending ? (
        <SkeletonGroup className="flex flex-col gap-3">
          {providers.map(({ id: provider }) => (
            <Skeleton key={provider} className="h-[74px] w-full" />
          ))}
        </SkeletonGroup>
      ) : !list.data ? (
        <ErrorPanel
          title="Failed to load your API keys. Please try again."
          onRetry={() => list.refetch()}
          retrying={list.isFetching}
          reason={list.error}
        >
          The keys themselves are safe on the server.
        </ErrorPanel>
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
              trial={getTrial(provider)}
              onAdd={() => startAdding(provider)}
              onType={(key) => setDraft({ provider, key })}
              onCancel={() => startAdding(undefined)}
              onSave={(apiKey) => save.mutate({ provider, apiKey })}
              onRemove={() => setRemoving(provider)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={(open) => !open && setRemoving(undefined)}
        title={`Delete your ${removing ? getProviderName(removing) : ''} API key?`}
        confirmLabel="Delete Key"
        busyLabel="Deleting..."
        onConfirm={() => removing && remove(removing)}
      >
        Agents you run will use the platform’s key instead, or give mock responses if there is none.
      </ConfirmDialog>
    </div>
  )
}

function toErrorNotice(text: string, reason: unknown): KeyNotice {
  return { tone: 'error', text, detail: getServerMessage(reason) }
}

function isStillInField(draft: KeyDraft | undefined, submitted: { provider: Provider; apiKey: string }): boolean {
  return draft?.provider === submitted.provider && draft.key.trim() === submitted.apiKey
}

function getKeyError(reason: unknown): string | undefined {
  return reason instanceof ApiError ? reason.fields?.apiKey : undefined
}
