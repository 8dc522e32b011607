import { expect, it } from 'vitest'
import { getTypeDraftChanges, isUnchanged, toTypeDraft } from './type-draft.ts'

const base = {
  rev: 3,
  values: { name: 'Walks', description: '', memoryPattern: 'SOLE' },
  templateIds: ['a', 'b', 'c'],
  agentIds: ['kip'],
}
const draft = toTypeDraft(base)

it('an untouched draft has nothing to publish', () => {
  expect(isUnchanged(draft)).toBe(true)
  expect(isUnchanged({ ...draft, values: { ...base.values } })).toBe(true)
})

it('the changes of a draft include only changed values and lists', () => {
  const changed = {
    ...draft,
    values: { ...base.values, name: 'Long walks' },
    templateIds: ['c', 'a', 'd'],
    agentIds: ['ceox'],
  }
  expect(getTypeDraftChanges(changed)).toEqual({
    values: { name: 'Long walks' },
    linkedIds: ['d'],
    unlinkedIds: ['b'],
    isReordered: true,
    assignedIds: ['ceox'],
    unassignedIds: ['kip'],
  })
  expect(isUnchanged(changed)).toBe(false)
})

it('templates count as reordered unless they were appended or removed', () => {
  expect(getTypeDraftChanges({ ...draft, templateIds: ['a', 'c', 'd'] }).isReordered).toBe(false)
  expect(getTypeDraftChanges({ ...draft, templateIds: ['d', 'a', 'b', 'c'] }).isReordered).toBe(true)
  expect(isUnchanged({ ...draft, templateIds: ['a', 'c', 'b'] })).toBe(false)
})
