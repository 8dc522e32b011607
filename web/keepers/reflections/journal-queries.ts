import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError } from '#web/api/api.ts'
import { keeperKey } from '../keeper-queries.ts'
import type { JournalFilter } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { applyQueuedWrite, toQueuedReflection, useQueuedWrites } from './queued-writes.ts'

/** Logs a failure to the console and rethrows it. */
export async function withErrorLog<T>(message: string, promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) console.error(message, error)
    throw error
  }
}

export function getRejectionMessage(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || ![400, 413, 422].includes(error.status)) return undefined
  return Object.values(error.fields ?? {})[0] ?? error.serverMessage
}

export function useReflectionPages(filter: JournalFilter) {
  const { keeper, backend } = useJournal()
  return useInfiniteQuery({
    queryKey: keeperKey(keeper.id, 'reflection', 'pages', filter),
    queryFn: ({ pageParam, signal }) =>
      withErrorLog('Failed to load reflections', backend.fetchPage(filter, pageParam, signal)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

export function useSuggestions() {
  const { keeper, backend } = useJournal()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'reflection', 'suggestions'),
    queryFn: ({ signal }) => withErrorLog('Failed to load suggested promotions', backend.fetchSuggestions(signal)),
    // Reflections become old enough while the page is open.
    refetchInterval: 5 * 60_000,
  })
}

/** `enabled: false` shows the cached reflection without fetching it. */
export function useReflection(id: string, enabled = true) {
  const { keeper, backend } = useJournal()
  const queuedWrites = useQueuedWrites()
  const queuedReflection = toQueuedReflection(queuedWrites.get(id))
  const query = useQuery({
    queryKey: keeperKey(keeper.id, 'reflection', 'one', id),
    queryFn: ({ signal }) => withErrorLog('Failed to load reflection', backend.fetchReflection(id, signal)),
    enabled: enabled && queuedReflection === undefined,
  })
  return {
    ...query,
    reflection: query.data ? applyQueuedWrite(query.data, queuedWrites) : queuedReflection,
    isUnsent: queuedReflection !== undefined,
  }
}

export function useTopicNames(): string[] {
  const { keeper, backend } = useJournal()
  const { data } = useQuery({
    queryKey: keeperKey(keeper.id, 'topic', 'names'),
    queryFn: ({ signal }) => withErrorLog('Failed to load topics', backend.fetchTopicNames(signal)),
  })
  return data ?? []
}

/** The newest reflection on a topic, except the one being written. */
export function useEarlierReflection(topic: string, excludedId: string | undefined) {
  const { keeper, backend } = useJournal()
  const { data } = useQuery({
    queryKey: keeperKey(keeper.id, 'reflection', 'of-topic', topic),
    queryFn: ({ signal }) =>
      withErrorLog('Failed to load reflections', backend.fetchPage({ q: '', topic }, null, signal)),
    enabled: topic !== '',
  })
  return topic === '' ? undefined : data?.items.find(({ id }) => id !== excludedId)
}

export function useInvalidateJournal(): () => Promise<void> {
  const { keeper } = useJournal()
  const queryClient = useQueryClient()
  return useCallback(
    () =>
      queryClient.invalidateQueries({
        queryKey: keeperKey(keeper.id),
        predicate: ({ queryKey }) => queryKey.length > 2,
      }),
    [queryClient, keeper.id],
  )
}
