import { expect, test } from 'vitest'
import { getFinishedSentencesLength, toSpokenText } from './read-aloud.ts'

test('only finished sentences count', () => {
  expect(getFinishedSentencesLength('Yes, twi')).toBe(0)
  expect(getFinishedSentencesLength('Yes, twice. In Apr')).toBe('Yes, twice. '.length)
  expect(getFinishedSentencesLength('It costs 3.50 and')).toBe(0)
  expect(getFinishedSentencesLength('He said "no." And')).toBe('He said "no." '.length)
  expect(getFinishedSentencesLength('A title\nthen')).toBe('A title\n'.length)
})

test('formatting marks are not read aloud', () => {
  expect(toSpokenText('## A **bold** [link](https://x.y) and `code`')).toBe('A bold link and code')
})
