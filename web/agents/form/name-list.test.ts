import { expect, test } from 'vitest'
import { bundleFrom, namesFrom } from './name-list.ts'

test('a comma-separated list is trimmed, without empties and duplicates', () => {
  expect(namesFrom(' search_memory, read_sole,, ,read_sole,\nhttp_fetch ')).toEqual([
    'search_memory',
    'read_sole',
    'http_fetch',
  ])
  expect(namesFrom('')).toEqual([])
  expect(namesFrom(' , ')).toEqual([])
})

test('a bundle is parsed from any pasted format', () => {
  expect(bundleFrom('type-agent, harbour-keeper')).toEqual(['type-agent', 'harbour-keeper'])
  expect(bundleFrom('@type-agent "Promoter"\ntype-agent;code-agent')).toEqual(['type-agent', 'promoter', 'code-agent'])
  expect(bundleFrom(' ,; ')).toEqual([])
})
