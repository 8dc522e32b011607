import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { callEnvelope } from '#web/api.ts'
import { withinPatience } from '#web/within-patience.ts'

/**
 * Keys: `['keepers', …]` for lists over all keepers, `['keeper', id, entity, …]` for what is in one, under the keeper's
 * own id and not the `1` of an address. Every `keeper-changed` event makes all of them stale.
 */
export const keepersKey = ['keepers'] as const
export const keeperKey = (id: string, ...rest: readonly unknown[]) => ['keeper', id, ...rest] as const

/** Each page of the list within its own patience. */
export async function askForKeepers(left: AbortSignal, patience?: number): Promise<Keeper[]> {
  // Not `readPages`, which the shell would have to carry: nearly everybody has one page, and no keeper moves to another.
  let all: Keeper[] = []
  let cursor: string | null | undefined
  do {
    const signal = withinPatience(left, patience)
    const page = await callEnvelope(keepers.list, { query: cursor ? { cursor } : {}, signal })
    // The first page is the end of the list.
    all = [...(page.data ?? []), ...all]
    cursor = page.next_cursor
  } while (cursor)
  return all
}

export const keeperList = queryOptions({
  queryKey: [...keepersKey, 'list'],
  queryFn: ({ signal }) => askForKeepers(signal),
})

export const useKeepers = ({ enabled = true } = {}) => useQuery({ ...keeperList, enabled })
