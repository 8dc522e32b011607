import { expect, test } from 'vitest'
import { frameKey } from './frame-key.ts'

test('a frame with an id that stands on two boards is another one on each; random ids are known by themselves', () => {
  expect(frameKey('one', 'cover')).not.toBe(frameKey('two', 'cover'))
  expect(frameKey('one', 'a'.repeat(32))).toBe('a'.repeat(32))
})
