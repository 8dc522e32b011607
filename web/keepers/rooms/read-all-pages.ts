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
  try {
    // What moved between two pages is on both.
    for await (const page of pagesOf<Entry>(list, params, signal))
      for (const entry of page) entries.set(entry.id, entry)
  } catch (reason) {
    if (!(reason instanceof Unreachable && entries.size > 0)) throw reason
  }
  return [...entries.values()]
}

/** One entry of such a list; the pages behind the one it stands on are not read. */
export async function findInPages<Entry extends { id: string }>(
  list: AnyEndpoint,
  params: Record<string, string>,
  id: string,
  signal?: AbortSignal,
): Promise<Entry | undefined> {
  for await (const page of pagesOf<Entry>(list, params, signal)) {
    const found = page.find((entry) => entry.id === id)
    if (found) return found
  }
  return undefined
}

async function* pagesOf<Entry>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): AsyncGenerator<Entry[]> {
  let cursor: string | null | undefined
  do {
    const query = cursor ? { query: { cursor } } : {}
    const asked = callEnvelope(list, { params, ...query, ...(signal && { signal }) } as never)
    const page = await (asked as unknown as Promise<Page<Entry>>)
    yield page.data
    cursor = page.next_cursor
  } while (cursor)
}
