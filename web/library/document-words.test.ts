import { expect, test } from 'vitest'
import { tagsOf, tagsOnCardOf } from './document-words.ts'
import { progressAfter } from './upload-progress.ts'

test('tags are split on commas and trimmed, without empties and duplicates', () => {
  expect(tagsOf(' house, legal ,,2026, house , ')).toEqual(['house', 'legal', '2026'])
  expect(tagsOf(' , ')).toEqual([])
})

test('a card shows three tags and the number of others', () => {
  expect(tagsOnCardOf(['a', 'b', 'c'])).toEqual({ shown: ['a', 'b', 'c'], more: '' })
  expect(tagsOnCardOf(['a', 'b', 'c', 'd', 'e'])).toEqual({ shown: ['a', 'b', 'c'], more: '+2 more' })
})

test('upload progress grows by ten per tick and waits at ninety', () => {
  expect([0, 1, 8, 9, 10, 300].map(progressAfter)).toEqual([0, 10, 80, 90, 90, 90])
})
