import { expect, test } from 'vitest'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { emptyFilter, filterAgents, listClasses, listStatuses } from './filter-agents.ts'

const findNames = (filter: Partial<typeof emptyFilter>) =>
  filterAgents(sampleAgents, { ...emptyFilter, ...filter }).map(({ name }) => name)

test('an empty filter keeps every agent in its order', () => {
  expect(filterAgents(sampleAgents, emptyFilter)).toEqual(sampleAgents)
})

test('three letters find an agent by its name, slug or purpose', () => {
  expect(findNames({ query: 'ceo' })).toEqual(['CeoX'])
  expect(findNames({ query: 'ty-' })).toEqual([])
  expect(findNames({ query: 'pe-' })).toEqual(['Type Agent'])
  expect(findNames({ query: 'sure' })).toEqual(['Code Agent'])
})

test('class, status and words must all match', () => {
  expect(findNames({ agentClass: 'Lead' })).toEqual(['Kip', 'CeoX'])
  expect(findNames({ agentClass: 'Lead', query: 'weighs' })).toEqual(['CeoX'])
  expect(findNames({ status: 'error' })).toEqual([])
})

test('only classes and statuses that occur are offered', () => {
  expect(listClasses(sampleAgents)).toEqual(['Standard', 'Lead'])
  expect(listStatuses(sampleAgents)).toEqual(['ready'])
})
