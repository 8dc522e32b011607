import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { type SendResult, sendOrQueue } from '#web/offline/send-or-queue.ts'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { keeperKey } from '../keeper-queries.ts'
import type { BaseEntry, EntryKind } from './entry-kinds.ts'

interface EntrySave {
  id: string
  body: Record<string, unknown>
  /** The revision the save is based on; `null` for a new entry. */
  rev: number | null
}

export interface EntryList<Entry extends BaseEntry> {
  /** Includes queued writes; `undefined` until loaded. */
  entries: Entry[] | undefined
  query: UseQueryResult<Entry[]>
  /** Changes last only while the page is open. */
  isDemo: boolean
  /** Ids of entries with queued writes. */
  queuedIds: ReadonlySet<string>
  /** Sends the entry without updating the list; call `put` next. @throws ApiError */
  save: (entrySave: EntrySave) => Promise<SendResult<Entry>>
  remove: (entry: Entry) => Promise<void>
  /** Puts a saved version into the list and refetches all queries of keepers. */
  put: (entry: Entry) => Promise<unknown>
}

/** The entries of one kind, with queued writes applied. */
export function useEntryList<Entry extends BaseEntry>(
  kind: EntryKind<Entry>,
  keeper: Pick<Keeper, 'id'>,
): EntryList<Entry> {
  const queryClient = useQueryClient()
  const isDemo = isDemoKeeper(keeper.id)
  const listKey = useMemo(() => keeperKey(keeper.id, kind.entity, 'list'), [keeper.id, kind.entity])
  const query = useQuery<Entry[]>({
    queryKey: listKey,
    queryFn: ({ signal }) => readAllPages<Entry>(kind.endpoints.list, { id: keeper.id }, signal),
    // Returning to a demo keeper resets it.
    ...(isDemo && { gcTime: 0, staleTime: 0 }),
  })
  const pendingWrites = usePendingWrites(keeper.id)
  const entryWrites = useMemo(() => {
    const { create, update } = kind.endpoints
    const endpointKeys = [`${create.method} ${create.path}`, `${update.method} ${update.path}`]
    return pendingWrites.filter(
      ({ thing: entryId, endpoint }) => entryId && endpointKeys.includes(`${endpoint.method} ${endpoint.path}`),
    )
  }, [pendingWrites, kind])
  const entries = useMemo(() => {
    if (!query.data) return undefined
    let updatedEntries = query.data
    for (const { thing: entryId = '', endpoint, body = {}, at } of entryWrites) {
      const exists = updatedEntries.some(({ id }) => id === entryId)
      if (endpoint.creates && !exists)
        updatedEntries = [kind.applyChanges(kind.createEmpty(entryId, keeper.id, at), body), ...updatedEntries]
      else
        updatedEntries = updatedEntries.map((entry) => (entry.id === entryId ? kind.applyChanges(entry, body) : entry))
    }
    return entryWrites.length > 0 ? kind.sort(updatedEntries) : updatedEntries
  }, [query.data, entryWrites, kind, keeper.id])
  const queuedIds = useMemo(() => new Set(entryWrites.map(({ thing: entryId = '' }) => entryId)), [entryWrites])

  const updateList = useCallback(
    (update: (previous: Entry[]) => Entry[]) =>
      queryClient.setQueryData<Entry[]>(listKey, (previous) => previous && kind.sort(update(previous))),
    [queryClient, listKey, kind],
  )
  const refresh = useCallback(() => queryClient.invalidateQueries({ queryKey: ['keeper'] }), [queryClient])
  const putEntry = (entry: Entry) => {
    updateList((previous) => [entry, ...previous.filter(({ id }) => id !== entry.id)])
    return refresh()
  }

  return {
    entries,
    query,
    isDemo,
    queuedIds,
    put: putEntry,
    async save({ id, body, rev }) {
      const writeContext = { what: kind.label, keeperId: keeper.id }
      const sendPromise =
        rev === null
          ? sendOrQueue(
              kind.endpoints.create,
              { params: { id: keeper.id }, body: { ...body, id, keeperId: keeper.id } } as never,
              writeContext,
            )
          : sendOrQueue(kind.endpoints.update, { params: { id }, body, ifMatch: rev } as never, writeContext)
      return sendPromise as Promise<SendResult<Entry>>
    },
    async remove(entry) {
      await call(kind.endpoints.remove, { params: { id: entry.id } } as never)
      updateList((previous) => previous.filter(({ id }) => id !== entry.id))
      notifyDeleted(kind.label, kind.entity, entry.id, refresh)
      await refresh()
    },
  }
}
