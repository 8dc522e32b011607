import { expect, test } from 'vitest'
import { describeAnimation, describeColumns } from './layout-tab.tsx'

test('columns of a grid are described by its number of frames', () => {
  expect([0, 1, 2, 4, 5].map((frames) => describeColumns('grid', frames))).toEqual([
    'No frames yet.',
    '1 frame: 1 column.',
    '2 frames: 2 columns, 1 on a phone.',
    '4 frames: 2 columns, 1 on a phone.',
    '5 frames: 3 columns at large widths, 2 on a tablet, 1 on a phone.',
  ])
})

test('each animation preset names its duration', () => {
  expect(describeAnimation('fade')).toBe('Frames appear over 0.3 s.')
  expect(describeAnimation('slide')).toBe('Frames appear over 0.4 s.')
  expect(describeAnimation('scale')).toBe('Frames appear over 0.3 s.')
  expect(describeAnimation('none')).toBe('Frames appear right away.')
})
