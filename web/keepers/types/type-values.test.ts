import { expect, it } from 'vitest'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { typeChanges, typeConflicts, valuesOfType } from './type-values.ts'

const type: KeeperType = {
  id: 't',
  name: 'Walks',
  slug: 'walks',
  description: 'Where I went.',
  memoryPattern: 'SOLE',
  system: false,
  mine: true,
  createdAt: '2026-11-21T10:00:00.000Z',
  rev: 1,
  _count: { engagement_templates: 0, Keeper: 0 },
}

it('sends only changed fields', () => {
  const before = valuesOfType(type)
  expect(typeChanges(before, before)).toEqual({})
  expect(typeChanges(before, { ...before, description: '' })).toEqual({ description: '' })
})

it('reports a conflict only for fields that both sides changed', () => {
  const current = { ...type, name: 'Theirs' }
  const mine = { name: 'Mine', description: 'My own.' }
  expect(typeConflicts(valuesOfType(type), { yours: { ...type, ...mine }, current }, mine)).toEqual([
    { name: 'name', label: 'Name', yours: 'Mine', current: 'Theirs' },
  ])
  const same = { name: 'Theirs' }
  expect(typeConflicts(valuesOfType(type), { yours: { ...type, ...same }, current }, same)).toEqual([])
})
