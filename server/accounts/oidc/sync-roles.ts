import type { PlatformRole } from '#contract/accounts/accounts.ts'
import type { grantRole, revokeRole } from '#server/administration/roles.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type Claims, getClaim, listValues } from './read-identity.ts'

export interface RoleActions {
  grantRole: typeof grantRole
  revokeRole: typeof revokeRole
}

/**
 * Gives the roles that the operator assigned to values of a claim, and takes those that a claim gave and no longer names.
 * A missing claim changes nothing. Other roles, and super-admin above all, never come from here or go.
 */
export async function syncRoles(
  services: Services,
  roleActions: RoleActions,
  personId: string,
  claims: Claims,
): Promise<void> {
  const mapping = services.settings.oidc?.roles
  const values = mapping && listValues(getClaim(claims, mapping.claim))
  if (!mapping || !values) return
  const named = new Set(values.flatMap((value) => mapping.byValue.get(value) ?? []))
  const { db } = services
  const grants = await db
    .selectFrom('role_grants')
    .select(['role', 'from_claim'])
    .where('person_id', '=', personId)
    .execute()
  const change = { personId, by: null }
  for (const role of named)
    if (!grants.some((grant) => grant.role === role))
      await attempt(services, role, () => roleActions.grantRole(services, { ...change, role, isFromClaim: true }))
  for (const { role, from_claim: isFromClaim } of grants)
    if (isFromClaim && role !== 'super-admin' && !named.has(role))
      await attempt(services, role, () => roleActions.revokeRole(services, { ...change, role, keepsLastAdmin: true }))
}

/** The sign-in goes on without a change that isn't allowed, such as taking the role of the last administrator. */
async function attempt(services: Services, role: PlatformRole, changeRole: () => Promise<void>): Promise<void> {
  try {
    await changeRole()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    services.log.warn({ role, reason: error.message }, 'a role from a claim was not changed')
  }
}
