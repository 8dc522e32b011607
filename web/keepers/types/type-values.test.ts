import { expect, it } from 'vitest'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { getTypeChanges, getTypeConflicts, toTypeValues } from './type-values.ts'

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
  const original = toTypeValues(type)
  expect(getTypeChanges(original, original)).toEqual({})
  expect(getTypeChanges(original, { ...original, description: '' })).toEqual({ description: '' })
})

it('reports a conflict only for fields that both sides changed', () => {
  const current = { ...type, name: 'Theirs' }
  const local = { name: 'Mine', description: 'My own.' }
  expect(getTypeConflicts(toTypeValues(type), { yours: { ...type, ...local }, current }, local)).toEqual([
    { name: 'name', label: 'Name', yours: 'Mine', current: 'Theirs' },
  ])
  const same = { name: 'Theirs' }
  expect(getTypeConflicts(toTypeValues(type), { yours: { ...type, ...same }, current }, same)).toEqual([])
})
