import { expect, test } from 'vitest'
import { getFinishedLength, toSpokenText } from './finished-sentences.ts'

test('only finished sentences count', () => {
  expect(getFinishedLength('Yes, twi')).toBe(0)
  expect(getFinishedLength('Yes, twice. In Apr')).toBe('Yes, twice. '.length)
  expect(getFinishedLength('It costs 3.50 and')).toBe(0)
  expect(getFinishedLength('He said "no." And')).toBe('He said "no." '.length)
  expect(getFinishedLength('A title\nthen')).toBe('A title\n'.length)
})

test('formatting marks are not read aloud', () => {
  expect(toSpokenText('## A **bold** [link](https://x.y) and `code`')).toBe('A bold link and code')
})
