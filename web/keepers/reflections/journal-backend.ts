import { entries } from '#contract/keepers/entries.ts'
import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { type Reflection, reflections } from '#contract/keepers/reflections.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { call, callEnvelope } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { type SendResult, sendOrQueue } from '#web/offline/send-or-queue.ts'
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

/** Storage for reflections: the server, or memory for a demo keeper. */
export interface JournalBackend {
  fetchPage(filter: JournalFilter, cursor: string | null, signal?: AbortSignal): Promise<JournalPage>
  fetchSuggestions(signal?: AbortSignal): Promise<Reflection[]>
  fetchReflection(id: string, signal?: AbortSignal): Promise<Reflection>
  /** Existing topic names, most used first. */
  fetchTopicNames(signal?: AbortSignal): Promise<string[]>
  create(writing: NewReflectionWriting): Promise<SendResult<Reflection>>
  /** @param rev the revision the change is based on. @throws ApiError `stale` with both versions */
  update(id: string, changes: Partial<ReflectionWriting>, rev: number): Promise<SendResult<Reflection>>
  /** Shows a toast with Undo; calls `onUndone` after the reflection is restored. */
  remove(id: string, onUndone: () => unknown): Promise<void>
  promote(reflection: Reflection, goldenCheck?: MemoryConsentInput): Promise<void>
  setResting(id: string, isResting: boolean): Promise<void>
  fetchHistory(id: string, cursor: string | null, signal?: AbortSignal): Promise<EarlierStates>
}

const reflectionPageSize = 50

export function createServerJournal(keeperId: string): JournalBackend {
  const params = { id: keeperId }
  const writeOptions = { what: 'Reflection', keeperId }
  return {
    async fetchPage({ q, topic }, cursor, signal) {
      const envelope = await callEnvelope(reflections.list, {
        params,
        query: { limit: reflectionPageSize, ...(q && { q }), ...(topic && { topic }), ...(cursor && { cursor }) },
        ...(signal && { signal }),
      })
      return { items: envelope.data ?? [], next: envelope.next_cursor ?? null }
    },
    fetchSuggestions: (signal) => call(reflections.suggestions, { params, ...(signal && { signal }) }),
    fetchReflection: (id, signal) => call(reflections.show, { params: { id }, ...(signal && { signal }) }),
    async fetchTopicNames(signal) {
      const existingTopics = await readAllPages<Topic>(topics.list, params, signal)
      return existingTopics.map(({ name }) => name)
    },
    create: (writing) => sendOrQueue(reflections.create, { params, body: { keeperId, ...writing } }, writeOptions),
    update: (id, changes, rev) =>
      sendOrQueue(reflections.update, { params: { id }, body: changes, ifMatch: rev }, writeOptions),
    async remove(id, onUndone) {
      await call(reflections.remove, { params: { id } })
      notifyDeleted('Reflection', 'reflection', id, onUndone)
    },
    async promote({ id, rev }, goldenCheck) {
      await call(reflections.promote, { params: { id }, body: { ...(goldenCheck && { goldenCheck }) }, ifMatch: rev })
    },
    async setResting(id, isResting) {
      await call(reflections.rest, { params: { id }, body: { rest: isResting } })
    },
    fetchHistory: (id, cursor, signal) =>
      callEnvelope(entries.history, {
        params: { entity: 'reflection', id },
        query: { ...(cursor && { cursor }) },
        ...(signal && { signal }),
      }),
  }
}
