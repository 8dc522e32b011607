import { expect, test } from 'vitest'
import { changesOf, clashes } from './use-in-place-form.ts'

const before = { purpose: 'Reads.', model: 'gpt-4o', temperature: 0.7 }
const labels = { purpose: 'Purpose', model: 'Model', temperature: 'Temperature' }

test('only what is other than it was is sent', () => {
  expect(changesOf(before, { ...before, temperature: 0 })).toEqual({ temperature: 0 })
  expect(changesOf(before, { ...before })).toEqual({})
})

test('two who changed different fields do not clash', () => {
  expect(clashes(before, { purpose: 'Writes.' }, { ...before, temperature: 1 }, labels)).toEqual([])
  expect(clashes(before, { purpose: 'Writes.' }, { ...before, purpose: 'Writes.' }, labels)).toEqual([])
})

test('two who changed the same field are asked which one it is', () => {
  expect(
    clashes(before, { purpose: 'Writes.', temperature: 1 }, { ...before, purpose: 'Sings.', temperature: 2 }, labels),
  ).toEqual([
    { name: 'purpose', label: 'Purpose', yours: 'Writes.', current: 'Sings.' },
    { name: 'temperature', label: 'Temperature', yours: '1', current: '2', choiceOnly: true },
  ])
})
