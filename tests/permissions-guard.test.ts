import { expect, it } from 'vitest'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { rolePermissions } from '#contract/accounts/role-permissions.ts'
import { listEndpoints } from '#contract/index.ts'
import { isTest, readSourceTree } from './source-tree.ts'

/** Permissions required by calls, or checked inside them. */
function listGuardedPermissions(): Set<string> {
  const endpointPermissions = listEndpoints().flatMap(({ endpoint: { access } }) =>
    typeof access === 'object' ? [access.permission as string] : [],
  )
  const checkedPermissions = readSourceTree()
    .filter(({ path }) => path.startsWith('server/') && !isTest(path))
    .flatMap(({ source }) => [...source.matchAll(/permissions\.has\('(\w+)'\)/g)].map(([, name = '']) => name))
  return new Set([...endpointPermissions, ...checkedPermissions])
}

it('super-admin holds every guarding permission and shows it as implemented', () => {
  expect([...listGuardedPermissions()].toSorted()).toEqual([...rolePermissions['super-admin'].implemented].toSorted())
})

it('no role shows a permission as implemented that guards nothing', () => {
  const guarded = listGuardedPermissions()
  for (const role of platformRoles)
    expect(
      rolePermissions[role].implemented.filter((permission) => !guarded.has(permission)),
      role,
    ).toEqual([])
})
