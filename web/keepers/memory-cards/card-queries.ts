import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { keeperKey } from '../keeper-queries.ts'
import type { CardFilter, CardGroups, CardsBackend } from './cards-backend.ts'

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
