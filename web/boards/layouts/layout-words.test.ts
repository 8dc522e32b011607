import { expect, test } from 'vitest'
import { animationWords, columnWords } from './layout-words.ts'

test('the columns of a grid are said as it has them', () => {
  expect([0, 1, 2, 4, 5].map((frames) => columnWords('grid', frames))).toEqual([
    'There is no frame yet.',
    'One frame: one column.',
    '2 frames: 2 columns, one on a phone.',
    '4 frames: 2 columns, one on a phone.',
    '5 frames: 3 columns at large widths, 2 on a tablet, one on a phone.',
  ])
})

test('presets say how long they take', () => {
  expect(animationWords('fade')).toBe('Frames come in over 0.3 s.')
  expect(animationWords('slide')).toBe('Frames come in over 0.4 s.')
  expect(animationWords('scale')).toBe('Frames come in over 0.3 s.')
  expect(animationWords('none')).toBe('Frames are there at once.')
})
