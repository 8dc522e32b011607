import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { ApiError, call, callEnvelope } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { type PendingWrite, usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { usePages } from '#web/queries/use-pages.ts'
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

const invalidInputStatuses = [400, 413, 422]

/** The server's message about the first invalid field; `undefined` for other errors. */
export function getRejectionMessage(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !invalidInputStatuses.includes(error.status)) return undefined
  return Object.values(error.fields ?? {})[0] ?? error.serverMessage
}

export interface JournalFilter {
  q: string
  topic: string
}

const reflectionPageSize = 50

export function fetchReflectionPage(
  keeperId: string,
  { q, topic }: JournalFilter,
  page: { cursor?: string } = {},
  signal?: AbortSignal,
) {
  const query = { limit: reflectionPageSize, ...(q && { q }), ...(topic && { topic }), ...page }
  return withErrorLog(
    'Failed to load reflections',
    callEnvelope(reflections.list, { params: { id: keeperId }, query, ...(signal && { signal }) }),
  )
}

export function useReflectionPages(filter: JournalFilter) {
  const { id } = useJournal()
  return usePages<Reflection>(
    keeperKey(id, 'reflection', 'pages', filter),
    (page, signal) => fetchReflectionPage(id, filter, page, signal),
    { placeholderData: keepPreviousData },
  )
}

export function useSuggestedReflections() {
  const { id } = useJournal()
  return useQuery({
    queryKey: keeperKey(id, 'reflection', 'suggestions'),
    queryFn: ({ signal }) =>
      withErrorLog('Failed to load suggested promotions', call(reflections.suggestions, { params: { id }, signal })),
    // Reflections become old enough while the page is open.
    refetchInterval: 5 * 60_000,
  })
}

/** `enabled: false` shows the cached reflection without fetching it. */
export function useReflection(id: string, enabled = true) {
  const keeper = useJournal()
  const queuedWrites = useQueuedWrites()
  const queuedReflection = toQueuedReflection(queuedWrites.get(id))
  const query = useQuery({
    queryKey: keeperKey(keeper.id, 'reflection', 'one', id),
    queryFn: ({ signal }) =>
      withErrorLog('Failed to load reflection', call(reflections.show, { params: { id }, signal })),
    enabled: enabled && queuedReflection === undefined,
  })
  return {
    ...query,
    reflection: query.data ? applyQueuedWrite(query.data, queuedWrites) : queuedReflection,
    isUnsent: queuedReflection !== undefined,
  }
}

/** Existing topic names, most used first. */
export function useTopicNames(): string[] {
  const { id } = useJournal()
  const { data = [] } = useQuery({
    queryKey: keeperKey(id, 'topic', 'names'),
    async queryFn({ signal }) {
      const allTopics = await withErrorLog('Failed to load topics', readAllPages<Topic>(topics.list, { id }, signal))
      return allTopics.map(({ name }) => name)
    },
  })
  return data
}

/** The newest reflection on a topic, except the one being written. */
export function useEarlierReflection(topic: string, excludedId: string | undefined) {
  const keeper = useJournal()
  const { data } = useQuery({
    queryKey: keeperKey(keeper.id, 'reflection', 'of-topic', topic),
    queryFn: ({ signal }) => fetchReflectionPage(keeper.id, { q: '', topic }, {}, signal),
    enabled: topic !== '',
  })
  return topic === '' ? undefined : data?.data?.find(({ id }) => id !== excludedId)
}

export function useInvalidateJournal(): () => Promise<void> {
  const { id } = useJournal()
  const queryClient = useQueryClient()
  return useCallback(
    () =>
      queryClient.invalidateQueries({
        queryKey: keeperKey(id),
        predicate: ({ queryKey }) => queryKey.length > 2,
      }),
    [queryClient, id],
  )
}

export interface ReflectionDraft {
  topic: string
  content: string
  aiVisible: boolean
}

/** @param id from `createClientId()`, so that a retry can't create a second reflection */
export const sendNewReflection = (keeperId: string, id: string, draft: ReflectionDraft) =>
  withErrorLog(
    'Failed to create reflection',
    sendOrQueue(
      reflections.create,
      { params: { id: keeperId }, body: { keeperId, ...draft, topic: draft.topic.trim(), id } },
      { what: 'Reflection', keeperId },
    ),
  )

/** @param rev the revision the change is based on. @throws ApiError `stale` with both versions */
export const sendReflectionChanges = ({ id, keeperId }: Reflection, changes: Partial<ReflectionDraft>, rev: number) =>
  withErrorLog(
    'Failed to update reflection',
    sendOrQueue(reflections.update, { params: { id }, body: changes, ifMatch: rev }, { what: 'Reflection', keeperId }),
  )

/** Queued writes by reflection id. */
export type QueuedWrites = ReadonlyMap<string, PendingWrite>

const reflectionEndpoints = ['POST /api/keeper/keepers/:id/reflections', 'PUT /api/keeper/reflections/:id']

export function useQueuedWrites(): QueuedWrites {
  const pendingWrites = usePendingWrites(useJournal().id)
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
