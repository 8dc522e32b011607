import { expect, it } from 'vitest'
import { removesText } from './record-history.ts'

const morning = 'At six the harbour is quiet, and the ferry has not come yet.'

it.each([
  ['a text by one without its middle line', morning, 'At six the harbour has not come yet.'],
  ['a text by nothing', morning, ''],
  ['a name by another one', 'Quay', 'Harbour'],
  ['a list by a shorter one', [{ title: 'Harbour', note: 'The old one.' }], []],
  ['a text by null', 'Remember the frost.', null],
])('a save that replaces %s removes text', (_, previous, updated) => {
  expect(removesText({ content: previous }, { content: updated })).toBe(true)
})

it.each([
  ['appends text', morning, `${morning} I wait.`],
  ['inserts text', morning, morning.replace('the ferry', 'the first ferry of the day')],
  ['corrects a word', morning, morning.replace('quiet', 'still')],
  ['replaces a letter', 'b', 'c'],
  ['changes nothing', [morning], [morning]],
  ['fills an empty field', null, morning],
  ['changes a number', 4, 5],
])('a save that %s removes no text', (_, previous, updated) => {
  expect(removesText({ content: previous, rev: 1 }, { content: updated, rev: 2 })).toBe(false)
})
