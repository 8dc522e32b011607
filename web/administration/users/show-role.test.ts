import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { userKey } from '../admin-queries.ts'
import { showRole } from './show-role.ts'

test('reverting a refused tick keeps another one saved in between', () => {
  const queries = new QueryClient()
  const person = { id: 'ben', name: 'Ben Okafor', email: 'ben@example.org' }
  queries.setQueryData(userKey('ben'), { ...person, platformRoles: ['analyst'] })
  const roleChange = { person, role: 'super-admin', held: true } as const
  showRole(queries, roleChange)
  showRole(queries, { person, role: 'support', held: true })
  showRole(queries, { ...roleChange, held: false })
  expect(queries.getQueryData<PlatformUserDetails>(userKey('ben'))?.platformRoles).toEqual(['analyst', 'support'])
  queries.clear()
})
