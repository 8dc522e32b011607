import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { keeperKey } from '../keeper-queries.ts'
import type { CardFilter, CardsBackend } from './cards-backend.ts'
import { mergeCardGroups } from './merge-groups.ts'

interface CardsContextValue {
  keeper: { id: string; title: string }
  demo: boolean
  backend: CardsBackend
}

export const CardsContext = createContext<CardsContextValue | undefined>(undefined)

export function useCards(): CardsContextValue {
  const open = use(CardsContext)
  if (!open) throw new Error('useCards outside of a CardsContext')
  return open
}

export function useCardPages(filter: CardFilter) {
  const { keeper, backend } = useCards()
  return useInfiniteQuery({
    queryKey: keeperKey(keeper.id, 'card', 'pages', filter),
    queryFn: ({ pageParam, signal }) => backend.page(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}

export function useCardStatus() {
  const { keeper, backend } = useCards()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'card', 'status'),
    queryFn: ({ signal }) => backend.status(signal),
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
    queryFn: ({ pageParam, signal }) => backend.byTopic(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => mergeCardGroups(pages.map(({ groups }) => groups)),
  })
}

export function useOneCard(id: string) {
  const { keeper, backend } = useCards()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'card', 'one', id),
    queryFn: ({ signal }) => backend.show(id, signal),
  })
}

export function useRefreshCards(): () => Promise<void> {
  const queryClient = useQueryClient()
  const { keeper } = useCards()
  return () => queryClient.invalidateQueries({ queryKey: keeperKey(keeper.id) })
}

export function useApplyPendingWrites(): (card: MemoryCard) => { card: MemoryCard; waits: boolean } {
  const { keeper } = useCards()
  const { method, path } = memoryCards.update
  const writes = usePendingWrites(keeper.id).filter(
    ({ endpoint }) => endpoint.method === method && endpoint.path === path,
  )
  return (card) => {
    const cardWrites = writes.filter(({ thing }) => thing === card.id)
    const changed: MemoryCard = Object.assign({ ...card }, ...cardWrites.map(({ body = {} }) => body))
    return { card: changed, waits: cardWrites.length > 0 }
  }
}
