import { beforeEach, expect, it, vi } from 'vitest'
import { logbook } from '#contract/keepers/logbook.ts'
import { ApiError, NetworkError, UnreadableResponse } from '#web/api/api.ts'
import { findInPages, readAllPages } from './api-pages.ts'

const pages: Record<string, { data: { id: string }[]; next_cursor: string | null }> = {
  '': { data: [{ id: 'a' }, { id: 'b' }], next_cursor: 'two' },
  two: { data: [{ id: 'b' }, { id: 'c' }], next_cursor: 'three' },
  three: { data: [{ id: 'd' }], next_cursor: null },
}
let requestedCursors: string[]
const stubPages = (failingCursor?: string, fail: () => Response = () => Response.error()) =>
  vi.stubGlobal('fetch', async (address: string) => {
    const cursor = new URL(address, 'http://keeper.example').searchParams.get('cursor') ?? ''
    requestedCursors.push(cursor)
    if (cursor === failingCursor) return fail()
    return Response.json({ success: true, ...pages[cursor] })
  })
const failToFetch = () => {
  throw new TypeError('Failed to fetch')
}
const readIds = async () => (await readAllPages(logbook.list, { id: 'k' })).map(({ id }) => id)

beforeEach(() => {
  requestedCursors = []
  vi.stubGlobal('localStorage', { getItem: () => null })
})

it('pages are read in order, and an entry on two pages is listed once', async () => {
  stubPages()
  expect(await readIds()).toEqual(['a', 'b', 'c', 'd'])
  expect(requestedCursors).toEqual(['', 'two', 'three'])
})

it('the first pages are kept when the server goes down; reading fails without any', async () => {
  stubPages('three', failToFetch)
  expect(await readIds()).toEqual(['a', 'b', 'c'])
  stubPages('', failToFetch)
  await expect(readIds()).rejects.toBeInstanceOf(NetworkError)
})

it('reading fails when the server refuses one of the pages', async () => {
  stubPages('two', () => Response.json({ success: false, error: 'No.' }, { status: 500 }))
  await expect(readIds()).rejects.toBeInstanceOf(ApiError)
})

it('a page that is not a list is refused', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: { logbook: [] } }))
  await expect(readIds()).rejects.toBeInstanceOf(UnreadableResponse)
})

it('an entry is found without reading past its page', async () => {
  stubPages()
  expect(await findInPages(logbook.list, { id: 'k' }, 'c')).toEqual({ id: 'c' })
  expect(requestedCursors).toEqual(['', 'two'])
  expect(await findInPages(logbook.list, { id: 'k' }, 'missing'), 'only after reading every page').toBeUndefined()
})

it('an entry is not reported as deleted when the server goes down', async () => {
  stubPages('three', failToFetch)
  await expect(findInPages(logbook.list, { id: 'k' }, 'd')).rejects.toBeInstanceOf(NetworkError)
})
