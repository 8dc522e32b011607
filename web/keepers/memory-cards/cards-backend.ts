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

export interface CardFilter {
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

export type CardsBackend = ReturnType<typeof createServerCards>

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
