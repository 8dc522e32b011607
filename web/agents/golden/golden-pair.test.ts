import { expect, test } from 'vitest'
import { type GoldenPair, getConflictFields, toChosenPair } from './golden-pair.ts'

const localPair: GoldenPair = { question: 'Where is it?', expectation: 'at the quay', judged_by: 'contains' }

test('a conflicting golden question shows both versions and sends the chosen values', () => {
  const current: GoldenPair = { question: 'Where is it?', expectation: 'at the bakery', judged_by: 'judged' }
  const fields = getConflictFields(localPair, current)
  expect(fields.map(({ name, yours: localText, current: there }) => [name, localText, there])).toEqual([
    ['question', 'Where is it?', 'Where is it?'],
    ['expectation', 'at the quay', 'at the bakery'],
    ['judged_by', 'Contains these lines', 'Judged by the model'],
  ])
  const remoteValues = Object.fromEntries(fields.map((field) => [field.name, field.current]))
  expect(toChosenPair(localPair, remoteValues)).toEqual(current)
  expect(toChosenPair(localPair, { ...remoteValues, expectation: 'at the quay or the bakery' })).toEqual({
    ...current,
    expectation: 'at the quay or the bakery',
  })
  expect(getConflictFields(localPair, { ...current, judged_by: 'contains' }).map(({ name }) => name)).toEqual([
    'question',
    'expectation',
  ])
  expect(toChosenPair(localPair, {})).toEqual(localPair)
})
