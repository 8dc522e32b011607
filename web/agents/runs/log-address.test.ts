import { expect, test } from 'vitest'
import { changedAddress, chosenFilters, readLogAddress, sentFilter } from './log-address.ts'

const address = (query: string) => new URLSearchParams(query)

test('another filter begins at its first page, and keeps the other filters', () => {
  expect(changedAddress(address('page=3&q=tide&run=r1&with=r2'), { status: 'error' })).toBe('?q=tide&status=error')
  expect(changedAddress(address('page=3&q=tide'), { q: '' })).toBe('?')
})

test('a page, a run and one to compare it with keep the filters', () => {
  expect(changedAddress(address('q=tide'), { page: '2' })).toBe('?q=tide&page=2')
  expect(changedAddress(address('q=tide&page=2'), { run: 'r1', with: 'r2' })).toBe('?q=tide&page=2&run=r1&with=r2')
  expect(changedAddress(address('q=tide&run=r1&with=r2'), { with: '' })).toBe('?q=tide&run=r1')
  expect(changedAddress(address('q=tide&page=2'), { q: 'tide' })).toBe('?q=tide&page=2')
})

test('days are sent as the moments between which they lie here', () => {
  const read = readLogAddress(address('from=2026-11-20&to=2026-11-21&q= tide &page=x&status='))
  expect(chosenFilters(read)).toEqual(['q', 'from', 'to'])
  expect(read.page).toBe(1)
  expect(sentFilter(read)).toEqual({
    q: 'tide',
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 10, 22).toISOString(),
  })
})

test('what is no day is sent as it is, for the server to say so', () => {
  expect(sentFilter(readLogAddress(address('from=yesterday&to=2026-02-31')))).toEqual({
    from: 'yesterday',
    to: '2026-02-31',
  })
})
