import { entries } from '#contract/keepers/entries.ts'
import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { call, callEnvelope } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { sendOrQueue } from '#web/offline/send-or-queue.ts'
import type { EarlierStates } from '#web/offline/use-earlier-states.ts'

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
