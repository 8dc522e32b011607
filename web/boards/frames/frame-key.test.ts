import { expect, test } from 'vitest'
import { getFrameKey } from './frame-query.tsx'

test('qualifies frame IDs by board unless they are random', () => {
  expect(getFrameKey('one', 'cover')).not.toBe(getFrameKey('two', 'cover'))
  expect(getFrameKey('one', 'a'.repeat(32))).toBe('a'.repeat(32))
})
