import { expect, test } from 'vitest'
import { moveItem } from './use-reorder.ts'

test('an item moves to its new index, clamped; an invalid index moves nothing', () => {
  expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
  expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moveItem(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
  expect(moveItem(['a', 'b', 'c'], 2, 3)).toEqual(['a', 'b', 'c'])
  expect(moveItem(['a', 'b', 'c'], -1, 0)).toEqual(['a', 'b', 'c'])
  expect(moveItem(['a', 'b', 'c'], 3, 0)).toEqual(['a', 'b', 'c'])
})
