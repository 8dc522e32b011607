import { callEnvelope, Unreachable } from '#web/api.ts'
import type { AnyEndpoint } from '#web/api-types.ts'

interface Page<Entry> {
  data: Entry[]
  next_cursor?: string | null
}

/**
 * Every entry of a list in the order of the server, however many pages they come in. Without the server those pages that
 * this browser keeps: the first ones.
 */
export async function readAllPages<Entry extends { id: string }>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  let cursor: string | null | undefined
  do {
    const query = cursor ? { query: { cursor } } : {}
    const asked = callEnvelope(list, { params, ...query, ...(signal && { signal }) } as never)
    const page: Page<Entry> = await (asked as unknown as Promise<Page<Entry>>).catch((reason: unknown) => {
      if (reason instanceof Unreachable && entries.size > 0) return { data: [] }
      throw reason
    })
    // What moved between two pages is on both.
    for (const entry of page.data) entries.set(entry.id, entry)
    cursor = page.next_cursor
  } while (cursor)
  return [...entries.values()]
}
