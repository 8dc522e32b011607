import { callEnvelope, Unreachable, Unreadable } from './api.ts'
import type { AnyEndpoint } from './api-types.ts'

interface Page<Data> {
  data: Data
  next_cursor?: string | null
}

/**
 * Every entry of a list in the server's order, over all pages. Offline, only the pages cached in this browser: the first
 * ones.
 */
export async function readAllPages<Entry extends { id: string }>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<Entry[]> {
  const pages = await readPages<Entry[]>(list, params, signal)
  if (!pages.every(Array.isArray)) throw new Unreadable(new Response(), '')
  return once(pages.flat())
}

/** At least one page of answers. Offline, only the cached ones. */
export async function readPages<Data>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<Data[]> {
  const pages: Data[] = []
  try {
    for await (const page of pagesOf<Data>(list, params, signal)) pages.push(page)
  } catch (reason) {
    if (!(reason instanceof Unreachable && pages.length > 0)) throw reason
  }
  return pages
}

/** An entry that moves between two reads is on both pages. */
export const once = <Entry extends { id: string }>(entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
]

/** Finds one entry of a list without reading past its page. */
export async function findInPages<Entry extends { id: string }>(
  list: AnyEndpoint,
  params: Record<string, string>,
  id: string,
  signal?: AbortSignal,
): Promise<Entry | undefined> {
  for await (const page of pagesOf<Entry[]>(list, params, signal)) {
    const found = page.find((entry) => entry.id === id)
    if (found) return found
  }
  return undefined
}

export async function* pagesOf<Data>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): AsyncGenerator<Data> {
  let cursor: string | null | undefined
  do {
    const query = cursor ? { query: { cursor } } : {}
    const asked = callEnvelope(list, { params, ...query, ...(signal && { signal }) } as never)
    const page = await (asked as unknown as Promise<Page<Data> | null>)
    yield page?.data as Data
    cursor = page?.next_cursor
  } while (cursor)
}
