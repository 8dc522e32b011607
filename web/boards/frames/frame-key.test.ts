import { expect, test } from 'vitest'
import { frameKey } from './frame-key.ts'

test('qualifies frame IDs by board unless they are random', () => {
  expect(frameKey('one', 'cover')).not.toBe(frameKey('two', 'cover'))
  expect(frameKey('one', 'a'.repeat(32))).toBe('a'.repeat(32))
})
