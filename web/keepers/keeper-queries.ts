import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { callEnvelope } from '#web/api/api.ts'
import { withTimeout } from '#web/api/api-request.ts'

/** A `keeper-changed` event invalidates all of these keys. `id` is the keeper's id, not the alias `1` used in paths. */
export const keepersKey = ['keepers'] as const
export const keeperKey = (id: string, ...keyParts: readonly unknown[]) => ['keeper', id, ...keyParts] as const

/** The timeout applies to each page. */
export async function fetchAllKeepers(abortSignal: AbortSignal, timeoutMs?: number): Promise<Keeper[]> {
  // `readPages` would add weight to the shell for a list that is nearly always one page.
  let allKeepers: Keeper[] = []
  let cursor: string | null | undefined
  do {
    const signal = withTimeout(abortSignal, timeoutMs)
    const page = await callEnvelope(keepers.list, { query: cursor ? { cursor } : {}, signal })
    // The first page holds the end of the list.
    allKeepers = [...(page.data ?? []), ...allKeepers]
    cursor = page.next_cursor
  } while (cursor)
  return allKeepers
}

export const keeperListQuery = queryOptions({
  queryKey: [...keepersKey, 'list'],
  queryFn: ({ signal }) => fetchAllKeepers(signal),
})

export const useKeepers = ({ enabled = true } = {}) => useQuery({ ...keeperListQuery, enabled })
