import { expect, test } from 'vitest'
import { matchWords } from './match-words.ts'

test('every word typed must stand in the entry, in any order', () => {
  expect(matchWords('Manage Agents Studio /studio/agents', 'agents manage')).toBeGreaterThan(0)
  expect(matchWords('Manage Agents Studio /studio/agents', 'manage keepers')).toBe(0)
})

test('scattered letters are no match', () => {
  expect(matchWords('Light colours', 'lgs')).toBe(0)
})

test('the beginning of the entry counts most, then the beginning of a word', () => {
  const [first, second, inside] = ['Kip Lead', 'Chat with Kip', 'Skipper'].map((entry) => matchWords(entry, 'kip'))
  expect(first).toBeGreaterThan(second ?? 1)
  expect(second).toBeGreaterThan(inside ?? 1)
})
