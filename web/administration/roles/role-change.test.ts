import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { userKey } from '../admin-queries.ts'
import { type RoleChange, updateCachedRole } from './role-change.tsx'

test('reverting a refused change keeps another one saved in between', () => {
  const queryClient = new QueryClient()
  const person = { id: 'ben', name: 'Ben Okafor', email: 'ben@example.org' }
  queryClient.setQueryData(userKey('ben'), { ...person, platformRoles: ['analyst'] })
  const roleChange: RoleChange = { person, role: 'super-admin', hasRole: true }
  updateCachedRole(queryClient, roleChange)
  updateCachedRole(queryClient, { person, role: 'support', hasRole: true })
  updateCachedRole(queryClient, { ...roleChange, hasRole: false })
  expect(queryClient.getQueryData<PlatformUserDetails>(userKey('ben'))?.platformRoles).toEqual(['analyst', 'support'])
  queryClient.clear()
})
