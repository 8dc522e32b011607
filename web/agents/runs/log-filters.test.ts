import { expect, test } from 'vitest'
import { changeLogAddress, getActiveFilters, readLogAddress, toLogQuery } from './log-filters.tsx'

const address = (query: string) => new URLSearchParams(query)

test('changing a filter resets the page and keeps other filters', () => {
  expect(changeLogAddress(address('page=3&q=tide&run=r1&with=r2'), { status: 'error' })).toBe('?q=tide&status=error')
  expect(changeLogAddress(address('page=3&q=tide'), { q: '' })).toBe('?')
})

test('changing page, run or comparison keeps the filters', () => {
  expect(changeLogAddress(address('q=tide'), { page: '2' })).toBe('?q=tide&page=2')
  expect(changeLogAddress(address('q=tide&page=2'), { run: 'r1', with: 'r2' })).toBe('?q=tide&page=2&run=r1&with=r2')
  expect(changeLogAddress(address('q=tide&run=r1&with=r2'), { with: '' })).toBe('?q=tide&run=r1')
  expect(changeLogAddress(address('q=tide&page=2'), { q: 'tide' })).toBe('?q=tide&page=2')
})

test('days are sent as local start and end instants', () => {
  const read = readLogAddress(address('from=2026-11-20&to=2026-11-21&q= tide &page=x&status='))
  expect(getActiveFilters(read)).toEqual(['q', 'from', 'to'])
  expect(read.page).toBe(1)
  expect(toLogQuery(read)).toEqual({
    q: 'tide',
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 10, 22).toISOString(),
  })
})

test('an invalid day is sent unchanged', () => {
  expect(toLogQuery(readLogAddress(address('from=yesterday&to=2026-02-31')))).toEqual({
    from: 'yesterday',
    to: '2026-02-31',
  })
})
