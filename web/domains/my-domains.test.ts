import { expect, it } from 'vitest'
import type { Domain } from '#contract/domains/domains.ts'
import { filterDomains } from './my-domains.tsx'

const domain = (name: string, slug: string, description: string | null): Domain => ({
  id: slug,
  name,
  slug,
  description,
  ownerId: 'ada',
  isPrimary: false,
  customDomain: null,
  customDomainVerified: false,
  permissions: [],
  agreed: true,
  leadAgentId: null,
  rev: 1,
})
const list = [domain('Willowbrook', 'willow', 'House and garden'), domain('Quay Choir', 'quay-choir', null)]

it('a search matches name, slug and description, ignoring case', () => {
  expect(filterDomains(list, 'CHOIR')).toEqual([list[1]])
  expect(filterDomains(list, 'garden')).toEqual([list[0]])
  expect(filterDomains(list, 'quay-')).toEqual([list[1]])
  expect(filterDomains(list, ' ')).toEqual(list)
  expect(filterDomains(list, 'nothing')).toEqual([])
})
