import { expect } from 'vitest'
import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import type { Actor } from './test-app.ts'

interface PagesOptions {
  query?: Record<string, string>
  betweenPages?(): Promise<unknown>
}

/** Reads all pages of a list; `betweenPages` runs after each page. */
export async function fetchAllPages<E extends Endpoint>(
  actor: Actor,
  list: E,
  params: Record<string, string> = {},
  { query = {}, betweenPages = async () => {} }: PagesOptions = {},
): Promise<EndpointOutput<E>[]> {
  const pages: EndpointOutput<E>[] = []
  for (let cursor: string | undefined; ; await betweenPages()) {
    const { status, text, data, body } = await actor.call(list, {
      params,
      query: { ...query, ...(cursor && { cursor }) },
    })
    expect(status, text).toBe(200)
    pages.push(data)
    if (body.next_cursor === null) return pages
    expect(body.next_cursor, 'another page').toEqual(expect.any(String))
    cursor = String(body.next_cursor)
  }
}
