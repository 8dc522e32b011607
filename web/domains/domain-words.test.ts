import { expect, it } from 'vitest'
import { changesIn, conflictsIn, type DomainWords, wrongIn } from './domain-words.ts'

const before: DomainWords = { name: 'Choir', slug: 'choir', description: 'Tuesdays', leadAgentId: '' }

it('sends only changed fields, and cleared ones as null', () => {
  expect(changesIn(before, before)).toEqual({})
  expect(changesIn(before, { ...before, name: ' Choir ' })).toEqual({})
  expect(changesIn(before, { ...before, slug: '', description: ' Fridays' })).toEqual({
    slug: null,
    description: 'Fridays',
  })
})

it('requires a name and validates a changed slug', () => {
  expect(wrongIn(before, before)).toEqual({})
  expect(wrongIn({ ...before, name: ' ', slug: '' }, before)).toEqual({ name: 'Enter a name.' })
  expect(wrongIn({ ...before, slug: 'The Choir' }, before).slug).toContain('For example: the-choir')
  expect(wrongIn({ ...before, slug: 'kip' }, before).slug).toContain('for example: kip-domain')
  expect(wrongIn({ ...before, slug: 'kip' }, { ...before, slug: 'kip' })).toEqual({})
  const old = { ...before, slug: 'q' }
  expect(wrongIn(old, old)).toEqual({})
})

it('reports only fields that both changed differently', () => {
  const yours = { ...before, name: 'Quay Choir', description: 'Fridays' }
  expect(conflictsIn(before, yours, { ...before, slug: 'quay' })).toEqual([])
  expect(conflictsIn(before, yours, { ...before, name: 'Quay Choir' })).toEqual([])
  expect(conflictsIn(before, yours, { ...before, description: 'Sundays', slug: 'quay' })).toEqual([
    { name: 'description', label: 'Description', yours: 'Fridays', current: 'Sundays' },
  ])
})
