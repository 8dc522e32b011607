import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Provider } from '#contract/agents/model-settings.ts'
import { type ModelList, models, type VoiceList } from '#contract/agents/models.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import { ApiError, call } from '#web/api.ts'

const listsKey = ['provider-lists'] as const
const modelsKey = (provider: Provider) => [...listsKey, 'models', provider] as const
const voicesKey = [...listsKey, 'voices'] as const
const minute = 60_000

export interface ProviderList<List> {
  list: List | undefined
  loading: boolean
  problem: string | undefined
  refresh: () => void
  refreshing: boolean
}

export function useModelList(provider: Provider): ProviderList<ModelList> {
  const list = useQuery({
    queryKey: modelsKey(provider),
    queryFn: ({ signal }) => call(models.list, { query: { provider }, signal }),
    staleTime: minute,
  })
  return useRefreshableList(list, modelsKey(provider), () => call(models.list, { query: { provider, fresh: 'true' } }))
}

export function useVoiceList(enabled: boolean): ProviderList<VoiceList> {
  const list = useQuery({
    queryKey: voicesKey,
    queryFn: ({ signal }) => call(models.voices, { signal }),
    staleTime: minute,
    enabled,
  })
  return useRefreshableList(list, voicesKey, () => call(models.voices, { query: { fresh: 'true' } }))
}

function useRefreshableList<List extends { problem: string | null }>(
  list: UseQueryResult<List>,
  queryKey: readonly unknown[],
  fetchFresh: () => Promise<List>,
): ProviderList<List> {
  const queryClient = useQueryClient()
  const refresh = useMutation({
    mutationFn: fetchFresh,
    onSuccess: (fresh) => queryClient.setQueryData(queryKey, fresh),
  })
  const reason = refresh.error ?? (list.data ? null : list.error)
  return {
    list: list.data,
    loading: list.isPending && list.fetchStatus !== 'idle',
    problem: reason ? describeFailure(reason) : (list.data?.problem ?? undefined),
    refresh: () => refresh.mutate(),
    refreshing: refresh.isPending,
  }
}

function describeFailure(reason: Error): string {
  return (reason instanceof ApiError && reason.serverMessage) || 'The list couldn’t be loaded. Check your connection.'
}

export function getModelNames(provider: Provider, list: ModelList | undefined): readonly string[] {
  return list?.models ?? getProviderInfo(provider).offeredModels
}

export function getSourceText(provider: Provider, list: ModelList | undefined, now: number): string {
  if (list?.source !== 'provider' || list.fetched_at === null) return 'The built-in list'
  const ago = formatAgo(now - Date.parse(list.fetched_at))
  if (list.local_host) return `From local server ${list.local_host}, ${ago}`
  return `From ${getProviderName(provider)}, ${ago}, plus the built-in list`
}

function formatAgo(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / minute)
  if (minutes < 1) return 'just now'
  return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`
}
