import { expect, test } from 'vitest'
import { getGridColumns, getSpanClass, gridClasses } from './presentation.ts'

test('a grid has one column for 1 frame, two up to 4, three for more', () => {
  expect([1, 2, 3, 4, 5, 12, 1000].map(getGridColumns)).toEqual([1, 2, 2, 2, 3, 3, 3])
  expect(getGridColumns(0)).toBe(1)
})

test('every grid has one column on a phone', () => {
  for (const classes of Object.values(gridClasses)) expect(classes.split(' ')[0]).toBe('grid-cols-1')
})

test('grouped frames span as many columns as they would need separately', () => {
  expect([1, 2, 3].map((frames) => getSpanClass(frames, 2))).toEqual([undefined, 'col-span-full', 'col-span-full'])
  expect([1, 2, 3].map((frames) => getSpanClass(frames, 3))).toEqual([
    undefined,
    '@min-[560px]:col-span-2',
    'col-span-full',
  ])
})
