import { expect, test } from 'vitest'
import { formatSize, tagsOf, tagsOnCardOf } from './document-words.ts'
import { progressAfter } from './upload-progress.ts'

test.each([
  [0, '0 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1.00 KB'],
  [43_725, '42.70 KB'],
  [1_048_575, '1.00 MB'],
  [1_300_234, '1.24 MB'],
  [5 * 1024 ** 3, '5.00 GB'],
  [5000 * 1024 ** 3, '5000.00 GB'],
])('%d bytes read %s', (bytes, words) => expect(formatSize(bytes)).toBe(words))

test('tags are split on commas and trimmed, empty and repeated ones dropped', () => {
  expect(tagsOf(' house, legal ,,2026, house , ')).toEqual(['house', 'legal', '2026'])
  expect(tagsOf(' , ')).toEqual([])
})

test('a card shows three tags and how many more there are', () => {
  expect(tagsOnCardOf(['a', 'b', 'c'])).toEqual({ shown: ['a', 'b', 'c'], more: '' })
  expect(tagsOnCardOf(['a', 'b', 'c', 'd', 'e'])).toEqual({ shown: ['a', 'b', 'c'], more: '+2 more' })
})

test('an upload goes on by ten at each tick and waits at ninety', () => {
  expect([0, 1, 8, 9, 10, 300].map(progressAfter)).toEqual([0, 10, 80, 90, 90, 90])
})
