import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { entries } from '#contract/keepers/entries.ts'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { ApiError, call, callEnvelope } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import type { EarlierStates } from '#web/offline/history-dialog.tsx'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { type PendingWrite, usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { keeperKey } from '../keeper-queries.ts'
import { useJournal } from './journal-context.ts'

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

export interface ReflectionWriting {
  topic: string
  content: string
  aiVisible: boolean
}

interface NewReflectionWriting extends ReflectionWriting {
  /** From `createClientId()`, so that a retry can't create a second reflection. */
  id: string
}

export interface JournalFilter {
  q: string
  topic: string
}

export interface JournalPage {
  items: Reflection[]
  next: string | null
}

export type JournalBackend = ReturnType<typeof createServerJournal>

const reflectionPageSize = 50

export function createServerJournal(keeperId: string) {
  const params = { id: keeperId }
  const writeOptions = { what: 'Reflection', keeperId }
  return {
    async fetchPage({ q, topic }: JournalFilter, cursor: string | null, signal?: AbortSignal): Promise<JournalPage> {
      const envelope = await callEnvelope(reflections.list, {
        params,
        query: { limit: reflectionPageSize, ...(q && { q }), ...(topic && { topic }), ...(cursor && { cursor }) },
        ...(signal && { signal }),
      })
      return { items: envelope.data ?? [], next: envelope.next_cursor ?? null }
    },
    fetchSuggestions: (signal?: AbortSignal) => call(reflections.suggestions, { params, ...(signal && { signal }) }),
    fetchReflection: (id: string, signal?: AbortSignal) =>
      call(reflections.show, { params: { id }, ...(signal && { signal }) }),
    /** Existing topic names, most used first. */
    async fetchTopicNames(signal?: AbortSignal) {
      const existingTopics = await readAllPages<Topic>(topics.list, params, signal)
      return existingTopics.map(({ name }) => name)
    },
    create: (writing: NewReflectionWriting) =>
      sendOrQueue(reflections.create, { params, body: { keeperId, ...writing } }, writeOptions),
    /** @param rev the revision the change is based on. @throws ApiError `stale` with both versions */
    update: (id: string, changes: Partial<ReflectionWriting>, rev: number) =>
      sendOrQueue(reflections.update, { params: { id }, body: changes, ifMatch: rev }, writeOptions),
    /** Shows a toast with Undo; calls `onUndone` after the reflection is restored. */
    async remove(id: string, onUndone: () => unknown) {
      await call(reflections.remove, { params: { id } })
      notifyDeleted('Reflection', 'reflection', id, onUndone)
    },
    async promote({ id, rev }: Reflection, goldenCheck?: MemoryConsentInput) {
      await call(reflections.promote, { params: { id }, body: { ...(goldenCheck && { goldenCheck }) }, ifMatch: rev })
    },
    async setResting(id: string, isResting: boolean) {
      await call(reflections.rest, { params: { id }, body: { rest: isResting } })
    },
    fetchHistory: (id: string, cursor: string | null, signal?: AbortSignal): Promise<EarlierStates> =>
      callEnvelope(entries.history, {
        params: { entity: 'reflection', id },
        query: { ...(cursor && { cursor }) },
        ...(signal && { signal }),
      }),
  }
}

/** Queued writes by reflection id. */
export type QueuedWrites = ReadonlyMap<string, PendingWrite>

const reflectionEndpoints = ['POST /api/keeper/keepers/:id/reflections', 'PUT /api/keeper/reflections/:id']

export function useQueuedWrites(): QueuedWrites {
  const { keeper } = useJournal()
  const pendingWrites = usePendingWrites(keeper.id)
  return useMemo(() => {
    const reflectionWrites = pendingWrites.filter(({ endpoint }) =>
      reflectionEndpoints.includes(`${endpoint.method} ${endpoint.path}`),
    )
    return new Map(reflectionWrites.flatMap((write) => (write.thing ? [[write.thing, write] as const] : [])))
  }, [pendingWrites])
}

export function applyQueuedWrite(reflection: Reflection, queuedWrites: QueuedWrites): Reflection {
  const write = queuedWrites.get(reflection.id)
  return write ? { ...reflection, ...toReflectionFields(write) } : reflection
}

/** The reflection of a queued create; `undefined` for other writes. */
export function toQueuedReflection(write: PendingWrite | undefined): Reflection | undefined {
  if (!write?.endpoint.creates || !write.thing) return undefined
  return {
    id: write.thing,
    keeperId: write.keeperId,
    agentId: defaultAgentId,
    topic: null,
    content: '',
    aiVisible: true,
    promotedToMemoryCard: false,
    promotedAt: null,
    memoryCardId: null,
    restedAt: null,
    momentId: null,
    createdAt: write.at,
    updatedAt: write.at,
    rev: 1,
    ...toReflectionFields(write),
  }
}

function toReflectionFields({ body }: PendingWrite): Partial<Pick<Reflection, 'topic' | 'content' | 'aiVisible'>> {
  const { topic, content, aiVisible } = body ?? {}
  return {
    ...(topic !== undefined && { topic: (topic as string | null) || null }),
    ...(content !== undefined && { content: content as string }),
    ...(aiVisible !== undefined && { aiVisible: aiVisible as boolean }),
  }
}
