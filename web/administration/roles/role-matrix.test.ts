import { expect, it } from 'vitest'
import type { UserWithRoles } from '#contract/administration/administration.ts'
import { isLastSuperAdmin } from './role-matrix.tsx'

const person = (id: string, changes: Partial<UserWithRoles> = {}): UserWithRoles => ({
  id,
  name: null,
  email: `${id}@willowbrook.example`,
  roles: ['super-admin'],
  deactivated: false,
  leaving: false,
  ...changes,
})
const cleo = person('cleo')

it('the last super-admin is the only active one', () => {
  expect(isLastSuperAdmin(cleo, [cleo, person('ben', { roles: ['admin'] })])).toBe(true)
  expect(isLastSuperAdmin(cleo, [cleo, person('ben', { deactivated: true }), person('dot', { leaving: true })])).toBe(
    true,
  )
  expect(isLastSuperAdmin(cleo, [cleo, person('ben')])).toBe(false)
  expect(isLastSuperAdmin(person('ben', { roles: [] }), [person('ben', { roles: [] })])).toBe(false)
})
