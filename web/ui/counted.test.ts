import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('only a count of 1 is singular', () => {
  const said = [0, 1, 2, 1000].map((count) => counted(count, 'frame'))
  expect(said).toEqual(['0 frames', '1 frame', '2 frames', '1,000 frames'])
  expect([counted(1, 'entry', 'entries'), counted(9, 'entry', 'entries')]).toEqual(['1 entry', '9 entries'])
})
