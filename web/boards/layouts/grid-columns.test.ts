import { expect, test } from 'vitest'
import { gridClasses, gridColumns, spanClass } from './grid-columns.ts'

test('one frame stands alone, up to four stand in two columns, more in three', () => {
  expect([1, 2, 3, 4, 5, 12, 1000].map(gridColumns)).toEqual([1, 2, 2, 2, 3, 3, 3])
  expect(gridColumns(0)).toBe(1)
})

test('every number of columns begins with one, for a phone', () => {
  for (const classes of Object.values(gridClasses)) expect(classes.split(' ')[0]).toBe('grid-cols-1')
})

test('frames that stand together take the columns that they would take apart', () => {
  expect([1, 2, 3].map((frames) => spanClass(frames, 2))).toEqual([undefined, 'col-span-full', 'col-span-full'])
  expect([1, 2, 3].map((frames) => spanClass(frames, 3))).toEqual([
    undefined,
    '@min-[560px]:col-span-2',
    'col-span-full',
  ])
})
