import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import {
  type CardSearchResult,
  type MemoryCard,
  memoryCards,
  type SearchedByMeaning,
} from '#contract/keepers/memory-cards.ts'
import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { call, callEnvelope } from '#web/api/api.ts'
import type { CallResult } from '#web/api/api-types.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { keeperKey } from '../keeper-queries.ts'

interface CardsContextValue {
  keeper: { id: string; title: string }
  demo: boolean
  backend: CardsBackend
}

export const CardsContext = createContext<CardsContextValue | undefined>(undefined)

export function useCards(): CardsContextValue {
  const context = use(CardsContext)
  if (!context) throw new Error('useCards outside of a CardsContext')
  return context
}

export function useCardPages(filter: CardFilter) {
  const { keeper, backend } = useCards()
  return useInfiniteQuery({
    queryKey: keeperKey(keeper.id, 'card', 'pages', filter),
    queryFn: ({ pageParam, signal }) => backend.fetchPage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

export function useCardStatus() {
  const { keeper, backend } = useCards()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'card', 'status'),
    queryFn: ({ signal }) => backend.fetchStatus(signal),
    // Fallback for lost progress events.
    refetchInterval: ({ state }) => (state.data?.job?.state === 'running' ? 2000 : false),
  })
}

export function useCardSearch(query: string) {
  const { keeper, backend } = useCards()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'card', 'search', query),
    queryFn: ({ signal }) => backend.search(query, signal),
    placeholderData: keepPreviousData,
    enabled: query !== '',
  })
}

export function useCardGroups() {
  const { keeper, backend } = useCards()
  return useInfiniteQuery({
    queryKey: keeperKey(keeper.id, 'card', 'by-topic'),
    queryFn: ({ pageParam, signal }) => backend.fetchByTopic(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => mergeCardGroups(pages.map(({ groups }) => groups)),
  })
}

export function useCard(id: string) {
  const { keeper, backend } = useCards()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'card', 'one', id),
    queryFn: ({ signal }) => backend.fetchCard(id, signal),
  })
}

export function useRefreshCards(): () => Promise<void> {
  const queryClient = useQueryClient()
  const { keeper } = useCards()
  return () => queryClient.invalidateQueries({ queryKey: keeperKey(keeper.id) })
}

export function useApplyPendingWrites(): (card: MemoryCard) => { card: MemoryCard; isQueued: boolean } {
  const { keeper } = useCards()
  const { method, path } = memoryCards.update
  const writes = usePendingWrites(keeper.id).filter(
    ({ endpoint }) => endpoint.method === method && endpoint.path === path,
  )
  return (card) => {
    const cardWrites = writes.filter(({ thing: cardId }) => cardId === card.id)
    const updatedCard: MemoryCard = Object.assign({ ...card }, ...cardWrites.map(({ body = {} }) => body))
    return { card: updatedCard, isQueued: cardWrites.length > 0 }
  }
}

/** Merges topics that span several pages. Cards that moved between two fetches appear on both, so ids are unique. */
export function mergeCardGroups(pages: readonly CardGroups[]): CardGroups {
  const groups = new Map<string | null, { count: number; cards: Map<string, CardGroups[number]['cards'][number]> }>()
  for (const { topic, count, cards } of pages.flat()) {
    const cardsById = groups.get(topic)?.cards ?? new Map()
    for (const card of cards) cardsById.set(card.id, card)
    groups.set(topic, { count, cards: cardsById })
  }
  return [...groups].map(([topic, { count, cards }]) => ({ topic, count, cards: [...cards.values()] }))
}

interface CardFilter {
  topic: string
  /** Only cards without an embedding. */
  pending: boolean
}

interface CardPage {
  items: MemoryCard[]
  next: string | null
}

interface CardSearchResults {
  results: CardSearchResult[]
  meaning: SearchedByMeaning | undefined
}

export type CardGroups = CallResult<typeof memoryCards.byTopic>
export type CardChanges = Partial<Pick<MemoryCard, 'content' | 'topic' | 'aiVisible'>> & {
  state?: 'active'
  goldenCheck?: MemoryConsentInput
}

type CardsBackend = ReturnType<typeof createServerCards>

export const fetchFailedMessage = 'Failed to fetch memory cards'
const cardPageSize = 60
const maxSearchResults = 60

export function createServerCards(keeperId: string) {
  const params = { id: keeperId }
  return {
    async fetchPage({ topic, pending }: CardFilter, cursor: string | null, signal?: AbortSignal): Promise<CardPage> {
      const envelope = await callEnvelope(memoryCards.list, {
        params,
        query: {
          limit: cardPageSize,
          ...(topic && { topic }),
          ...(pending && { embedded: 'false' as const }),
          ...(cursor && { cursor }),
        },
        ...(signal && { signal }),
      })
      return { items: envelope.data ?? [], next: envelope.next_cursor ?? null }
    },
    fetchStatus: (signal?: AbortSignal) => call(memoryCards.embeddingStatus, { params, ...(signal && { signal }) }),
    async search(query: string, signal?: AbortSignal): Promise<CardSearchResults> {
      const envelope = await callEnvelope(memoryCards.search, {
        params,
        query: { query, limit: maxSearchResults },
        ...(signal && { signal }),
      })
      return { results: envelope.data ?? [], meaning: (envelope as { meaning?: SearchedByMeaning }).meaning }
    },
    /** One page; a topic can continue from an earlier page. */
    async fetchByTopic(cursor: string | null, signal?: AbortSignal) {
      const query = cursor ? { query: { cursor } } : {}
      const envelope = await callEnvelope(memoryCards.byTopic, { params, ...query, ...(signal && { signal }) })
      return { groups: envelope.data ?? [], next: envelope.next_cursor ?? null }
    },
    fetchCard: (id: string, signal?: AbortSignal) =>
      call(memoryCards.show, { params: { id }, ...(signal && { signal }) }),
    /** @param rev the revision the change is based on. @throws ApiError `stale` with both versions */
    update: (id: string, changes: CardChanges, rev: number) =>
      sendOrQueue(
        memoryCards.update,
        { params: { id }, body: changes, ifMatch: rev },
        { what: 'Memory card', keeperId },
      ),
    /** Shows a toast with Undo; calls `onUndone` after the card is restored. */
    async remove(id: string, onUndone: () => unknown) {
      await call(memoryCards.remove, { params: { id } })
      notifyDeleted('Memory card', 'card', id, onUndone)
    },
    generateEmbeddings: () => call(memoryCards.generateEmbeddings, { params }),
  }
}
