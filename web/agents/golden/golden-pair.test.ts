import { expect, test } from 'vitest'
import { chosenOf, differing, type Pair } from './golden-pair.ts'

const yours: Pair = { question: 'Where is it?', expectation: 'at the quay', judged_by: 'contains' }

test('a conflicting golden question shows both versions and sends the chosen values', () => {
  const current: Pair = { question: 'Where is it?', expectation: 'at the bakery', judged_by: 'judged' }
  const fields = differing(yours, current)
  expect(fields.map(({ name, yours: mine, current: there }) => [name, mine, there])).toEqual([
    ['question', 'Where is it?', 'Where is it?'],
    ['expectation', 'at the quay', 'at the bakery'],
    ['judged_by', 'Contains these lines', 'Judged by the model'],
  ])
  const theirs = Object.fromEntries(fields.map((field) => [field.name, field.current]))
  expect(chosenOf(yours, theirs)).toEqual(current)
  expect(chosenOf(yours, { ...theirs, expectation: 'at the quay or the bakery' })).toEqual({
    ...current,
    expectation: 'at the quay or the bakery',
  })
  expect(differing(yours, { ...current, judged_by: 'contains' }).map(({ name }) => name)).toEqual([
    'question',
    'expectation',
  ])
  expect(chosenOf(yours, {})).toEqual(yours)
})
