import { expect, test } from 'vitest'
import { gridClasses, gridColumns } from './grid-columns.ts'

test('one frame stands alone, up to four stand in two columns, more in three', () => {
  expect([1, 2, 3, 4, 5, 12, 1000].map(gridColumns)).toEqual([1, 2, 2, 2, 3, 3, 3])
  expect(gridColumns(0)).toBe(1)
})

test('every number of columns begins with one, for a phone', () => {
  for (const classes of Object.values(gridClasses)) expect(classes.split(' ')[0]).toBe('grid-cols-1')
})
