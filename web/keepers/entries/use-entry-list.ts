import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { call } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { type SendResult, sendOrQueue } from '#web/offline/send-or-queue.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { isDemoKeeper } from '../demo/is-demo-keeper.ts'
import { keeperKey } from '../keeper-queries.ts'
import type { BaseEntry, EntryKind } from './entry-kind.ts'

interface EntrySave {
  id: string
  body: Record<string, unknown>
  /** The revision the save is based on; `null` for a new entry. */
  rev: number | null
}

export interface EntryList<Entry extends BaseEntry> {
  /** Includes queued writes; `undefined` until loaded. */
  entries: Entry[] | undefined
  error: Error | null
  isRetrying: boolean
  retry: () => unknown
  /** Changes last only while the page is open. */
  demo: boolean
  /** Ids of entries with queued writes. */
  waiting: ReadonlySet<string>
  /** Sends the entry without updating the list; call `put` next. @throws ApiError */
  save: (saving: EntrySave) => Promise<SendResult<Entry>>
  remove: (entry: Entry) => Promise<void>
  /** Puts a saved version into the list and refetches the keeper. */
  put: (entry: Entry) => Promise<unknown>
}

/** The entries of one kind, with queued writes applied. A demo keeper's entries live in memory. */
export function useEntryList<Entry extends BaseEntry>(
  kind: EntryKind<Entry>,
  keeper: Pick<Keeper, 'id'>,
): EntryList<Entry> {
  const queryClient = useQueryClient()
  const demo = isDemoKeeper(keeper.id)
  const key = useMemo(() => keeperKey(keeper.id, kind.entity, 'list'), [keeper.id, kind.entity])
  const query = useQuery<Entry[]>({
    queryKey: key,
    queryFn: async ({ signal }) =>
      demo
        ? (queryClient.getQueryData<Entry[]>(key) ?? kind.demo(keeper.id))
        : readAllPages<Entry>(kind.calls.list, { id: keeper.id }, signal),
    // Returning to a demo keeper resets it.
    ...(demo && { gcTime: 0, staleTime: 0 }),
  })
  const pending = usePendingWrites(keeper.id)
  const writes = useMemo(() => {
    const { create, update } = kind.calls
    const paths = [`${create.method} ${create.path}`, `${update.method} ${update.path}`]
    return pending.filter(({ thing, endpoint }) => thing && paths.includes(`${endpoint.method} ${endpoint.path}`))
  }, [pending, kind])
  const entries = useMemo(() => {
    if (!query.data) return undefined
    let all = query.data
    for (const { thing = '', endpoint, body = {}, at } of writes) {
      const there = all.some(({ id }) => id === thing)
      if (endpoint.creates && !there) all = [kind.applyChanges(kind.createEmpty(thing, keeper.id, at), body), ...all]
      else all = all.map((entry) => (entry.id === thing ? kind.applyChanges(entry, body) : entry))
    }
    return writes.length > 0 ? kind.sorted(all) : all
  }, [query.data, writes, kind, keeper.id])
  const waiting = useMemo(() => new Set(writes.map(({ thing = '' }) => thing)), [writes])

  const change = useCallback(
    (next: (previous: Entry[]) => Entry[]) =>
      queryClient.setQueryData<Entry[]>(key, (previous) => previous && kind.sorted(next(previous))),
    [queryClient, key, kind],
  )
  const refresh = useCallback(
    () => (demo ? Promise.resolve() : queryClient.invalidateQueries({ queryKey: ['keeper'] })),
    [queryClient, demo],
  )
  const put = (entry: Entry) => {
    change((previous) => [entry, ...previous.filter(({ id }) => id !== entry.id)])
    return refresh()
  }

  return {
    entries,
    error: query.data ? null : query.error,
    isRetrying: query.isRefetching,
    retry: () => query.refetch(),
    demo,
    waiting,
    put,
    async save({ id, body, rev }) {
      if (demo) {
        const at = new Date().toISOString()
        const previous = query.data?.find((entry) => entry.id === id) ?? kind.createEmpty(id, keeper.id, at)
        return { state: 'sent', answer: { ...kind.applyChanges(previous, body), updatedAt: at } }
      }
      const about = { what: kind.label, keeperId: keeper.id }
      const sending =
        rev === null
          ? sendOrQueue(
              kind.calls.create,
              { params: { id: keeper.id }, body: { ...body, id, keeperId: keeper.id } } as never,
              about,
            )
          : sendOrQueue(kind.calls.update, { params: { id }, body, ifMatch: rev } as never, about)
      return sending as Promise<SendResult<Entry>>
    },
    async remove(entry) {
      if (!demo) await call(kind.calls.remove, { params: { id: entry.id } } as never)
      change((previous) => previous.filter(({ id }) => id !== entry.id))
      if (demo) void showToast(`${kind.label} deleted`, { onUndo: () => put(entry) })
      else notifyDeleted(kind.label, kind.entity, entry.id, refresh)
      await refresh()
    },
  }
}
