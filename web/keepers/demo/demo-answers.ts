import { ApiError } from '#web/api/api.ts'
import type { AnyEndpoint, CallInput, CallResult, UntypedCallInput } from '#web/api/api-types.ts'
import type { BaseEntry } from '../entries/entry-kinds.ts'
import type { DemoEntity, DemoEntries, DemoState } from './demo-state.ts'

type DemoAnswer = (state: DemoState, input: UntypedCallInput) => unknown
export const answers = new Map<AnyEndpoint, { answer: DemoAnswer; envelope: object }>()

/** Answers calls of demo keepers to an endpoint. */
export function onDemoCall<E extends AnyEndpoint>(
  endpoint: E,
  answer: (state: DemoState, input: CallInput<E>) => CallResult<E>,
  envelope = {},
): void {
  answers.set(endpoint, { answer: answer as DemoAnswer, envelope })
}

export const createDemoError = (status: number, error: string) =>
  new ApiError({ status, statusText: '' }, JSON.stringify({ error }))
export const getNow = () => new Date().toISOString()

export const listEntries = <Kind extends DemoEntity>({ entries, deletedIds }: DemoState, kind: Kind) =>
  (entries[kind] as BaseEntry[]).filter(({ id }) => !deletedIds.has(id)) as DemoEntries[Kind]

export function findEntry<Kind extends DemoEntity>(
  state: DemoState,
  kind: Kind,
  id: string,
): DemoEntries[Kind][number] {
  const entry = listEntries(state, kind).find((candidate) => candidate.id === id)
  if (!entry) throw createDemoError(404, 'This sample doesn’t exist.')
  return entry
}

export function putEntry<Kind extends DemoEntity>(state: DemoState, kind: Kind, entry: DemoEntries[Kind][number]) {
  const otherEntries = (state.entries[kind] as BaseEntry[]).filter(({ id }) => id !== entry.id)
  state.entries[kind] = [entry, ...otherEntries].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)) as never
  return entry
}

export function updateEntry<Kind extends DemoEntity>(
  state: DemoState,
  kind: Kind,
  id: string,
  changes: Partial<DemoEntries[Kind][number]>,
) {
  const previous = findEntry(state, kind, id)
  state.history.set(id, [
    { rev: previous.rev, savedAt: getNow(), snapshot: { ...previous } },
    ...(state.history.get(id) ?? []),
  ])
  return putEntry(state, kind, { ...previous, ...changes, rev: previous.rev + 1, updatedAt: getNow() })
}

export const removeEntry = ({ deletedIds }: DemoState, id: string) => {
  deletedIds.add(id)
  return {}
}
