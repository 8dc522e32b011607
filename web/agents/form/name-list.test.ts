import { expect, test } from 'vitest'
import { parseBundle, parseNames } from './name-list.ts'

test('a comma-separated list is trimmed, without empties and duplicates', () => {
  expect(parseNames(' search_memory, read_sole,, ,read_sole,\nhttp_fetch ')).toEqual([
    'search_memory',
    'read_sole',
    'http_fetch',
  ])
  expect(parseNames('')).toEqual([])
  expect(parseNames(' , ')).toEqual([])
})

test('a bundle is parsed from any pasted format', () => {
  expect(parseBundle('type-agent, harbour-keeper')).toEqual(['type-agent', 'harbour-keeper'])
  expect(parseBundle('@type-agent "Promoter"\ntype-agent;code-agent')).toEqual(['type-agent', 'promoter', 'code-agent'])
  expect(parseBundle(' ,; ')).toEqual([])
})
