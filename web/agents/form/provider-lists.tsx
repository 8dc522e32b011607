import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type ModelList, models, type VoiceList } from '#contract/agents/models.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useNow } from '#web/ui/hooks/use-now.ts'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const providerListsKey = ['provider-lists'] as const
const modelsKey = (provider: Provider) => [...providerListsKey, 'models', provider] as const
const voicesKey = [...providerListsKey, 'voices'] as const
const minuteMs = 60_000

export interface ProviderList<List> {
  list: List | undefined
  loading: boolean
  problem: string | undefined
  refresh: () => void
  refreshing: boolean
}

export function useModelList(provider: Provider, enabled = true): ProviderList<ModelList> {
  const listQuery = useQuery({
    queryKey: modelsKey(provider),
    queryFn: ({ signal }) => call(models.list, { query: { provider }, signal }),
    staleTime: minuteMs,
    enabled,
  })
  return useRefreshableList(listQuery, modelsKey(provider), () =>
    call(models.list, { query: { provider, fresh: 'true' } }),
  )
}

export function useVoiceList(): ProviderList<VoiceList> {
  const listQuery = useQuery({
    queryKey: voicesKey,
    queryFn: ({ signal }) => call(models.voices, { signal }),
    staleTime: minuteMs,
  })
  return useRefreshableList(listQuery, voicesKey, () => call(models.voices, { query: { fresh: 'true' } }))
}

export function useRefreshableList<List extends object>(
  listQuery: UseQueryResult<List>,
  queryKey: readonly unknown[],
  fetchFresh: () => Promise<List>,
): ProviderList<List> {
  const queryClient = useQueryClient()
  const refreshMutation = useMutation({
    mutationFn: fetchFresh,
    onSuccess: (refreshedList) => queryClient.setQueryData(queryKey, refreshedList),
  })
  const { problem } = (listQuery.data ?? {}) as { problem?: string | null }
  const reason = refreshMutation.error ?? (listQuery.data ? null : listQuery.error)
  return {
    list: listQuery.data,
    loading: listQuery.isPending && listQuery.fetchStatus !== 'idle',
    problem: reason ? describeListFailure(reason) : (problem ?? undefined),
    refresh: () => refreshMutation.mutate(),
    refreshing: refreshMutation.isPending,
  }
}

function describeListFailure(reason: Error): string {
  return getServerMessage(reason) ?? 'The list couldn’t be loaded. Check your connection.'
}

export function getModelNames(provider: Provider, list: ModelList | undefined): readonly string[] {
  return list?.models ?? getProviderInfo(provider).offeredModels
}

export function getSourceText(provider: Provider, list: ModelList | undefined, now: number): string {
  if (list?.source !== 'provider' || list.fetched_at === null) return 'The built-in list'
  const age = formatAgo(now - Date.parse(list.fetched_at))
  if (list.local_host) return `From local server ${list.local_host}, ${age}`
  return `From ${getProviderName(provider)}, ${age}, plus the built-in list`
}

function formatAgo(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / minuteMs)
  if (minutes < 1) return 'just now'
  return `${pluralize(minutes, 'minute')} ago`
}

interface ListSourceProps {
  getText: (now: number) => string
  loading: boolean
  problem: string | undefined
  listName: string
  onRefresh: () => void
  refreshing: boolean
  disabled?: boolean
}

export function ListSource({ getText, loading, problem, listName, onRefresh, refreshing, disabled }: ListSourceProps) {
  const now = Math.max(useNow(true, 30_000), Date.now())
  return (
    <div className="mt-1.5 text-small leading-[1.0625rem] text-muted-foreground">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        {loading ? (
          <>
            <span role="status" className="sr-only">
              Loading {listName}
            </span>
            <Skeleton className="h-3 w-44" />
          </>
        ) : (
          <span className="min-w-0 wrap-anywhere">{getText(now)}</span>
        )}
        <button
          type="button"
          aria-label={`Refresh ${listName}`}
          aria-disabled={refreshing || undefined}
          disabled={disabled || loading}
          onClick={() => !refreshing && onRefresh()}
          className="-my-0.5 flex min-h-6 items-center gap-1 rounded-xs font-label text-foreground underline underline-offset-2 disabled:opacity-60"
        >
          <RefreshCw aria-hidden size={11} className={classNames(refreshing && 'motion-safe:animate-spin')} />
          {refreshing ? 'Refreshing...' : 'Refresh'}
        </button>
      </div>
      <p aria-live="polite" className="mt-0.5 wrap-anywhere text-warning empty:hidden">
        {problem}
      </p>
    </div>
  )
}
