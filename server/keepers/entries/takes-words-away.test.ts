import { expect, it } from 'vitest'
import { takesWordsAway } from './takes-words-away.ts'

const morning = 'At six the harbour is quiet, and the ferry has not come yet.'

it.each([
  ['a line taken out of the middle', morning, 'At six the harbour has not come yet.'],
  ['everything', morning, ''],
  ['a name that is another one', 'Quay', 'Harbour'],
  ['a list that is shorter', [{ title: 'Harbour', note: 'The old one.' }], []],
  ['a text that is none any more', 'Remember the frost.', null],
])('a save that replaces %s takes words away', (_, before, after) => {
  expect(takesWordsAway({ content: before }, { content: after })).toBe(true)
})

it.each([
  ['goes on', morning, `${morning} I wait.`],
  ['puts words in between', morning, morning.replace('the ferry', 'the first ferry of the day')],
  ['corrects a word', morning, morning.replace('quiet', 'still')],
  ['types over a letter', 'b', 'c'],
  ['changes nothing', [morning], [morning]],
  ['gives what was not there', null, morning],
  ['counts', 4, 5],
])('one that %s does not', (_, before, after) => {
  expect(takesWordsAway({ content: before, rev: 1 }, { content: after, rev: 2 })).toBe(false)
})
