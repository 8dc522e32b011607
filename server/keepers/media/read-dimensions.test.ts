import { expect, it } from 'vitest'
import { createHeic } from '#tests/heic-file.ts'
import { readDimensions } from './inspect-media.ts'

it.each([
  [0, { width: 128, height: 64 }],
  [1, { width: 64, height: 128 }],
  [2, { width: 128, height: 64 }],
  [3, { width: 64, height: 128 }],
])('a HEIC with %i quarter turns is %j', (turns, dimensions) => {
  expect(readDimensions(createHeic({ columns: 2, turns }))).toEqual(dimensions)
})
