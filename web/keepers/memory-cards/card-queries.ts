import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type MeaningSearchInfo, type MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import { call, callEnvelope } from '#web/api/api.ts'
import type { CallResult } from '#web/api/api-types.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { usePages } from '#web/queries/use-pages.ts'
import { keeperKey } from '../keeper-queries.ts'

export const fetchFailedMessage = 'Failed to fetch memory cards'
const cardPageSize = 60
const maxSearchResults = 60
const progressIntervalMs = 2_000

interface CardFilter {
  topic: string
  /** Only cards without an embedding. */
  onlyPending: boolean
}

export function useCardPages(keeperId: string, filter: CardFilter) {
  const { topic, onlyPending } = filter
  const query = { limit: cardPageSize, ...(topic && { topic }), ...(onlyPending && { embedded: 'false' as const }) }
  return usePages<MemoryCard>(
    keeperKey(keeperId, 'card', 'pages', filter),
    (page, signal) =>
      callEnvelope(memoryCards.list, { params: { id: keeperId }, query: { ...query, ...page }, signal }),
    { placeholderData: keepPreviousData },
  )
}

export const useCardStatus = (keeperId: string) =>
  useQuery({
    queryKey: keeperKey(keeperId, 'card', 'status'),
    queryFn: ({ signal }) => call(memoryCards.embeddingStatus, { params: { id: keeperId }, signal }),
    // Fallback for lost progress events.
    refetchInterval: ({ state }) => (state.data?.job?.state === 'running' ? progressIntervalMs : false),
  })

export const useCardSearch = (keeperId: string, query: string) =>
  useQuery({
    queryKey: keeperKey(keeperId, 'card', 'search', query),
    async queryFn({ signal }) {
      const input = { params: { id: keeperId }, query: { query, limit: maxSearchResults }, signal }
      const envelope = await callEnvelope(memoryCards.search, input)
      return { results: envelope.data ?? [], meaning: (envelope as { meaning?: MeaningSearchInfo }).meaning }
    },
    placeholderData: keepPreviousData,
    enabled: query !== '',
  })

/** One topic can span several pages, which are merged. */
export const useCardGroups = (keeperId: string) =>
  useInfiniteQuery({
    queryKey: keeperKey(keeperId, 'card', 'by-topic'),
    queryFn: ({ pageParam, signal }) =>
      callEnvelope(memoryCards.byTopic, {
        params: { id: keeperId },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => mergeCardGroups(pages.map(({ data = [] }) => data)),
  })

export const useCard = (keeperId: string, id: string) =>
  useQuery({
    queryKey: keeperKey(keeperId, 'card', 'one', id),
    queryFn: ({ signal }) => call(memoryCards.show, { params: { id }, signal }),
  })

export function useCardWithPendingWrites(card: MemoryCard): { card: MemoryCard; isQueued: boolean } {
  const { method, path } = memoryCards.update
  const writes = usePendingWrites(card.keeperId).filter(
    ({ endpoint, thing: cardId }) => cardId === card.id && endpoint.method === method && endpoint.path === path,
  )
  const updatedCard: MemoryCard = Object.assign({ ...card }, ...writes.map(({ body = {} }) => body))
  return { card: updatedCard, isQueued: writes.length > 0 }
}

export type CardGroups = CallResult<typeof memoryCards.byTopic>

/** Merges topics that span several pages. A card that moves between two fetches is on both pages, but listed once. */
export function mergeCardGroups(pages: readonly CardGroups[]): CardGroups {
  const groups = new Map<string | null, { count: number; cards: Map<string, CardGroups[number]['cards'][number]> }>()
  for (const { topic, count, cards } of pages.flat()) {
    const cardsById = groups.get(topic)?.cards ?? new Map()
    for (const card of cards) cardsById.set(card.id, card)
    groups.set(topic, { count, cards: cardsById })
  }
  return [...groups].map(([topic, { count, cards }]) => ({ topic, count, cards: [...cards.values()] }))
}
