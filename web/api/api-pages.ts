import { callEnvelope, NetworkError, UnreadableResponse } from './api.ts'
import type { AnyEndpoint } from './api-types.ts'

interface Page<Data> {
  data: Data
  next_cursor?: string | null
}

/** Offline, only the pages cached in this browser: the first ones. */
export async function readAllPages<Entry extends { id: string }>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<Entry[]> {
  const pages = await readPages<Entry[]>(list, params, signal)
  if (!pages.every(Array.isArray)) throw new UnreadableResponse({ status: 200, statusText: '' }, '')
  return dedupeById(pages.flat())
}

/** Reads all pages, at least one; offline only the cached pages. */
export async function readPages<Data>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<Data[]> {
  const pages: Data[] = []
  try {
    for await (const page of iteratePages<Data>(list, params, signal)) pages.push(page)
  } catch (reason) {
    if (!(reason instanceof NetworkError && pages.length > 0)) throw reason
  }
  return pages
}

/** An entry that moves between two reads is on both pages. */
export const dedupeById = <Entry extends { id: string }>(entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
]

export async function findInPages<Entry extends { id: string }>(
  list: AnyEndpoint,
  params: Record<string, string>,
  id: string,
  signal?: AbortSignal,
): Promise<Entry | undefined> {
  for await (const page of iteratePages<Entry[]>(list, params, signal)) {
    const match = page.find((entry) => entry.id === id)
    if (match) return match
  }
  return undefined
}

export async function* iteratePages<Data>(
  list: AnyEndpoint,
  params: Record<string, string>,
  signal?: AbortSignal,
): AsyncGenerator<Data> {
  let cursor: string | null | undefined
  do {
    const query = cursor ? { query: { cursor } } : {}
    const request = callEnvelope(list, { params, ...query, ...(signal && { signal }) } as never)
    const page = await (request as unknown as Promise<Page<Data> | null>)
    yield page?.data as Data
    cursor = page?.next_cursor
  } while (cursor)
}
