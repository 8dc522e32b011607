import { expect, test } from 'vitest'
import { getCardTags, parseTags } from './documents.ts'
import { getProgress } from './use-uploads.ts'

test('tags are split on commas and trimmed, without empties and duplicates', () => {
  expect(parseTags(' house, legal ,,2026, house , ')).toEqual(['house', 'legal', '2026'])
  expect(parseTags(' , ')).toEqual([])
})

test('a card shows three tags and the number of others', () => {
  expect(getCardTags(['a', 'b', 'c'])).toEqual({ visible: ['a', 'b', 'c'], more: '' })
  expect(getCardTags(['a', 'b', 'c', 'd', 'e'])).toEqual({ visible: ['a', 'b', 'c'], more: '+2 more' })
})

test('upload progress grows by ten per tick and waits at ninety', () => {
  expect([0, 1, 8, 9, 10, 300].map(getProgress)).toEqual([0, 10, 80, 90, 90, 90])
})
