import { expect, it } from 'vitest'
import { type DomainValues, getDomainChanges, validateDomain } from './domain-form.tsx'

const initial: DomainValues = { name: 'Choir', slug: 'choir', description: 'Tuesdays', leadAgentId: '' }

it('only changed fields are sent, cleared fields as null', () => {
  expect(getDomainChanges(initial, initial)).toEqual({})
  expect(getDomainChanges(initial, { ...initial, name: ' Choir ' })).toEqual({})
  expect(getDomainChanges(initial, { ...initial, slug: '', description: ' Fridays' })).toEqual({
    slug: null,
    description: 'Fridays',
  })
})

it('a name is required, and a changed slug validated', () => {
  expect(validateDomain(initial, initial)).toEqual({})
  expect(validateDomain({ ...initial, name: ' ', slug: '' }, initial)).toEqual({ name: 'Enter a name.' })
  expect(validateDomain({ ...initial, slug: 'The Choir' }, initial).slug).toContain('For example: the-choir')
  expect(validateDomain({ ...initial, slug: 'kip' }, initial).slug).toContain('for example: kip-domain')
  expect(validateDomain({ ...initial, slug: 'kip' }, { ...initial, slug: 'kip' })).toEqual({})
  const old = { ...initial, slug: 'q' }
  expect(validateDomain(old, old)).toEqual({})
})
