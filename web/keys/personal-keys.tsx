import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys } from '#contract/keys/keys.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { ApiError, call } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useProviders } from '#web/use-providers.ts'
import { keysKey, usePersonalKeys } from './key-queries.ts'
import { PersonalKeyRow } from './personal-key-row.tsx'
import { useKeyTrial } from './use-key-trial.ts'

type Notice = { tone: 'success' | 'error'; text: string; told?: string }

interface Adding {
  provider: Provider
  key: string
}

export function PersonalKeys() {
  const providers = useProviders()
  const list = usePersonalKeys()
  const queries = useQueryClient()
  const [adding, setAdding] = useState<Adding>()
  const shown = useRef(adding)
  useEffect(() => {
    shown.current = adding
  })
  const [removing, setRemoving] = useState<Provider>()
  const [notice, setNotice] = useState<Notice>()
  const { tryKey, forget, trialFor } = useKeyTrial(keys.tryPersonal)

  const save = useMutation({
    mutationFn: (body: { provider: Provider; apiKey: string }) => call(keys.savePersonal, { body }),
    onMutate: () => {
      setNotice(undefined)
      forget()
    },
    onSuccess: (_, sent) => {
      // The field may hold another key by now.
      setAdding((now) => (isOf(now, sent) ? undefined : now))
      setNotice({ tone: 'success', text: `Successfully added ${getProviderName(sent.provider)} API key!` })
      tryKey(sent.provider)
      return queries.invalidateQueries({ queryKey: keysKey })
    },
    onError: (reason, sent) => {
      if (!keyError(reason) || !isOf(shown.current, sent))
        setNotice(failed('Failed to save API key. Please try again.', reason))
    },
  })

  async function remove(provider: Provider) {
    setNotice(undefined)
    try {
      await call(keys.removePersonal, { params: { provider } })
      setNotice({ tone: 'success', text: `Successfully deleted ${getProviderName(provider)} API key!` })
    } catch (reason) {
      setNotice(failed('Failed to delete API key. Please try again.', reason))
    }
    await queries.invalidateQueries({ queryKey: keysKey })
  }

  function begin(provider: Provider | undefined) {
    save.reset()
    setAdding(provider === undefined ? undefined : { provider, key: '' })
  }

  return (
    <div className="max-w-[860px]">
      <p className="mb-4 max-w-[72ch] text-muted-foreground">
        Your own key comes first. Without one, Keeper uses the platform's key, if there is one. Keys are stored
        encrypted and only shown masked.
      </p>
      {notice && (
        <Banner
          key={`${notice.text}${save.submittedAt}`}
          tone={notice.tone}
          className="mb-4"
          onDismiss={() => setNotice(undefined)}
        >
          {notice.text}
          {notice.told && <span className="block text-muted-foreground">{notice.told}</span>}
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
              adding={adding?.provider === provider ? adding.key : undefined}
              saving={save.isPending}
              error={save.variables && isOf(adding, save.variables) ? keyError(save.error) : undefined}
              trial={trialFor(provider)}
              onAdd={() => begin(provider)}
              onType={(key) => setAdding({ provider, key })}
              onCancel={() => begin(undefined)}
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
        Agents you run will use the platform's key instead, or answer with mock responses if there is none.
      </ConfirmDialog>
    </div>
  )
}

function failed(text: string, reason: unknown): Notice {
  return { tone: 'error', text, told: reason instanceof ApiError ? reason.told : undefined }
}

/** Whether the field still holds the key that was sent. */
function isOf(adding: Adding | undefined, sent: { provider: Provider; apiKey: string }): boolean {
  return adding?.provider === sent.provider && adding.key.trim() === sent.apiKey
}

/** Shown under the field. */
function keyError(reason: unknown): string | undefined {
  return reason instanceof ApiError ? reason.fields?.apiKey : undefined
}
