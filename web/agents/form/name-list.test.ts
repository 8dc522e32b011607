import { expect, test } from 'vitest'
import { bundleFrom, moved, namesFrom } from './name-list.ts'

test('a comma-separated list is trimmed and loses its empty entries and repetitions', () => {
  expect(namesFrom(' search_memory, read_sole,, ,read_sole,\nhttp_fetch ')).toEqual([
    'search_memory',
    'read_sole',
    'http_fetch',
  ])
  expect(namesFrom('')).toEqual([])
  expect(namesFrom(' , ')).toEqual([])
})

test('a bundle is read however it is pasted', () => {
  expect(bundleFrom('type-agent, harbour-keeper')).toEqual(['type-agent', 'harbour-keeper'])
  expect(bundleFrom('@type-agent "Promoter"\ntype-agent;code-agent')).toEqual(['type-agent', 'promoter', 'code-agent'])
  expect(bundleFrom(' ,; ')).toEqual([])
})

test('an entry moves one place on or back, and not past the ends', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
})
