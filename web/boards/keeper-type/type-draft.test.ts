import { expect, it } from 'vitest'
import { changesOf, draftOf, isUnchanged } from './type-draft.ts'

const base = {
  rev: 3,
  values: { name: 'Walks', description: '', memoryPattern: 'SOLE' },
  templateIds: ['a', 'b', 'c'],
  agentIds: ['kip'],
}
const draft = draftOf(base)

it('nothing written is nothing to publish', () => {
  expect(isUnchanged(draft)).toBe(true)
  expect(isUnchanged({ ...draft, values: { ...base.values } })).toBe(true)
})

it('tells what is other than it was, and only that', () => {
  const changed = {
    ...draft,
    values: { ...base.values, name: 'Long walks' },
    templateIds: ['c', 'a', 'd'],
    agentIds: ['ceox'],
  }
  expect(changesOf(changed)).toEqual({
    values: { name: 'Long walks' },
    linked: ['d'],
    unlinked: ['b'],
    reordered: true,
    assigned: ['ceox'],
    unassigned: ['kip'],
  })
  expect(isUnchanged(changed)).toBe(false)
})

it('linking at the end and unlinking leave the order as it is; anything else is another order', () => {
  expect(changesOf({ ...draft, templateIds: ['a', 'c', 'd'] }).reordered).toBe(false)
  expect(changesOf({ ...draft, templateIds: ['d', 'a', 'b', 'c'] }).reordered).toBe(true)
  expect(isUnchanged({ ...draft, templateIds: ['a', 'c', 'b'] })).toBe(false)
})
