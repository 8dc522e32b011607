import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { keeperListQuery } from './keeper-queries.ts'

let requestedCursors: string[]
const mockPages = (pages: Record<string, { data: { id: string }[]; next_cursor: string | null }>) =>
  vi.stubGlobal('fetch', async (address: string) => {
    const cursor = new URL(address, 'http://keeper.example').searchParams.get('cursor') ?? ''
    requestedCursors.push(cursor)
    return Response.json({ success: true, ...pages[cursor] })
  })
const fetchIds = async () => (await new QueryClient().fetchQuery(keeperListQuery)).map(({ id }) => id)

beforeEach(() => {
  requestedCursors = []
  vi.stubGlobal('localStorage', { getItem: () => null })
})

it('a short list is fetched in one request', async () => {
  mockPages({ '': { data: [{ id: 'a' }, { id: 'b' }], next_cursor: null } })
  expect(await fetchIds()).toEqual(['a', 'b'])
  expect(requestedCursors).toEqual([''])
})

it('entries of later pages come before entries of the first page', async () => {
  mockPages({
    '': { data: [{ id: 'c' }, { id: 'd' }], next_cursor: 'two' },
    two: { data: [{ id: 'a' }, { id: 'b' }], next_cursor: null },
  })
  expect(await fetchIds()).toEqual(['a', 'b', 'c', 'd'])
})
