import { expect, test } from 'vitest'
import { findConflicts, getFormChanges } from './use-in-place-form.ts'

const initial = { purpose: 'Reads.', model: 'gpt-4o', temperature: 0.7 }
const labels = { purpose: 'Purpose', model: 'Model', temperature: 'Temperature' }

test('sends only changed fields', () => {
  expect(getFormChanges(initial, { ...initial, temperature: 0 })).toEqual({ temperature: 0 })
  expect(getFormChanges(initial, { ...initial })).toEqual({})
})

test('changes to different fields do not conflict', () => {
  expect(findConflicts(initial, { purpose: 'Writes.' }, { ...initial, temperature: 1 }, labels)).toEqual([])
  expect(findConflicts(initial, { purpose: 'Writes.' }, { ...initial, purpose: 'Writes.' }, labels)).toEqual([])
})

test('different changes to one field conflict', () => {
  expect(
    findConflicts(
      initial,
      { purpose: 'Writes.', temperature: 1 },
      { ...initial, purpose: 'Sings.', temperature: 2 },
      labels,
    ),
  ).toEqual([
    { name: 'purpose', label: 'Purpose', yours: 'Writes.', current: 'Sings.' },
    { name: 'temperature', label: 'Temperature', yours: '1', current: '2', choiceOnly: true },
  ])
})
