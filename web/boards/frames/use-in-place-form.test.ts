import { expect, test } from 'vitest'
import { changesOf, clashes } from './use-in-place-form.ts'

const before = { purpose: 'Reads.', model: 'gpt-4o', temperature: 0.7 }
const labels = { purpose: 'Purpose', model: 'Model', temperature: 'Temperature' }

test('sends only changed fields', () => {
  expect(changesOf(before, { ...before, temperature: 0 })).toEqual({ temperature: 0 })
  expect(changesOf(before, { ...before })).toEqual({})
})

test('changes to different fields do not conflict', () => {
  expect(clashes(before, { purpose: 'Writes.' }, { ...before, temperature: 1 }, labels)).toEqual([])
  expect(clashes(before, { purpose: 'Writes.' }, { ...before, purpose: 'Writes.' }, labels)).toEqual([])
})

test('different changes to one field conflict', () => {
  expect(
    clashes(before, { purpose: 'Writes.', temperature: 1 }, { ...before, purpose: 'Sings.', temperature: 2 }, labels),
  ).toEqual([
    { name: 'purpose', label: 'Purpose', yours: 'Writes.', current: 'Sings.' },
    { name: 'temperature', label: 'Temperature', yours: '1', current: '2', choiceOnly: true },
  ])
})
