import { callEnvelope, Unreachable, Unreadable } from './api.ts'
import type { AnyEndpoint } from './api-types.ts'

interface Page<Data> {
  data: Data
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
  const pages = await readPages<Entry[]>(list, params, signal)
  if (!pages.every(Array.isArray)) throw new Unreadable(new Response(), '')
  return once(pages.flat())
}

/** The answers page after page, at least one. Without the server those that this browser keeps. */
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

/** What moved between two pages is on both. */
export const once = <Entry extends { id: string }>(entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
]

/** One entry of such a list; the pages behind the one it stands on are not read. */
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

/** One page after the other, as far as they are asked for. */
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
