import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { call } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'
import { type Sent, sendOrKeep } from '#web/offline/send-or-keep.ts'
import { tellBinned } from '#web/offline/tell-binned.tsx'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { isDemoKeeper } from '../demo/is-demo-keeper.ts'
import { keeperKey } from '../keeper-queries.ts'
import type { Room, RoomEntry } from './room.ts'

interface Saving {
  id: string
  body: Record<string, unknown>
  /** The revision the save is based on; `null` for a new entry. */
  rev: number | null
}

export interface OpenRoom<Entry extends RoomEntry> {
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
  save: (saving: Saving) => Promise<Sent<Entry>>
  remove: (entry: Entry) => Promise<void>
  /** Puts a saved version into the list and refetches the keeper. */
  put: (entry: Entry) => Promise<unknown>
}

/** The entries of one kind, with queued writes applied. A demo keeper's entries live in memory. */
export function useRoom<Entry extends RoomEntry>(room: Room<Entry>, keeper: Pick<Keeper, 'id'>): OpenRoom<Entry> {
  const queries = useQueryClient()
  const demo = isDemoKeeper(keeper.id)
  const key = useMemo(() => keeperKey(keeper.id, room.entity, 'list'), [keeper.id, room.entity])
  const query = useQuery<Entry[]>({
    queryKey: key,
    queryFn: async ({ signal }) =>
      demo
        ? (queries.getQueryData<Entry[]>(key) ?? room.demo(keeper.id))
        : readAllPages<Entry>(room.calls.list, { id: keeper.id }, signal),
    // Returning to a demo keeper resets it.
    ...(demo && { gcTime: 0, staleTime: 0 }),
  })
  const pending = usePendingWrites(keeper.id)
  const writes = useMemo(() => {
    const { create, update } = room.calls
    const paths = [`${create.method} ${create.path}`, `${update.method} ${update.path}`]
    return pending.filter(({ thing, endpoint }) => thing && paths.includes(`${endpoint.method} ${endpoint.path}`))
  }, [pending, room])
  const entries = useMemo(() => {
    if (!query.data) return undefined
    let all = query.data
    for (const { thing = '', endpoint, body = {}, at } of writes) {
      const there = all.some(({ id }) => id === thing)
      if (endpoint.creates && !there) all = [room.with(room.fresh(thing, keeper.id, at), body), ...all]
      else all = all.map((entry) => (entry.id === thing ? room.with(entry, body) : entry))
    }
    return writes.length > 0 ? room.sorted(all) : all
  }, [query.data, writes, room, keeper.id])
  const waiting = useMemo(() => new Set(writes.map(({ thing = '' }) => thing)), [writes])

  const change = useCallback(
    (next: (before: Entry[]) => Entry[]) =>
      queries.setQueryData<Entry[]>(key, (before) => before && room.sorted(next(before))),
    [queries, key, room],
  )
  const lookAgain = useCallback(
    () => (demo ? Promise.resolve() : queries.invalidateQueries({ queryKey: ['keeper'] })),
    [queries, demo],
  )
  const put = (entry: Entry) => {
    change((before) => [entry, ...before.filter(({ id }) => id !== entry.id)])
    return lookAgain()
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
        const before = query.data?.find((entry) => entry.id === id) ?? room.fresh(id, keeper.id, at)
        return { state: 'sent', answer: { ...room.with(before, body), updatedAt: at } }
      }
      const about = { what: room.what, keeperId: keeper.id }
      const sending =
        rev === null
          ? sendOrKeep(
              room.calls.create,
              { params: { id: keeper.id }, body: { ...body, id, keeperId: keeper.id } } as never,
              about,
            )
          : sendOrKeep(room.calls.update, { params: { id }, body, ifMatch: rev } as never, about)
      return sending as Promise<Sent<Entry>>
    },
    async remove(entry) {
      if (!demo) await call(room.calls.remove, { params: { id: entry.id } } as never)
      change((before) => before.filter(({ id }) => id !== entry.id))
      if (demo) void showToast(`${room.what} deleted`, { onUndo: () => put(entry) })
      else tellBinned(room.what, room.entity, entry.id, lookAgain)
      await lookAgain()
    },
  }
}
