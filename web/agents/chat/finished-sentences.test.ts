import { expect, test } from 'vitest'
import { finishedLength, spokenText } from './finished-sentences.ts'

test('only finished sentences count', () => {
  expect(finishedLength('Yes, twi')).toBe(0)
  expect(finishedLength('Yes, twice. In Apr')).toBe('Yes, twice. '.length)
  expect(finishedLength('It costs 3.50 and')).toBe(0)
  expect(finishedLength('He said "no." And')).toBe('He said "no." '.length)
  expect(finishedLength('A title\nthen')).toBe('A title\n'.length)
})

test('formatting marks are not read aloud', () => {
  expect(spokenText('## A **bold** [link](https://x.y) and `code`')).toBe('A bold link and code')
})
