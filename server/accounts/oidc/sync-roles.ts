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
 * Grants the roles that the server's settings map to values of a claim, and revokes roles granted this way that no
 * longer have a value. A missing claim changes nothing. Never grants or revokes other roles, least of all super-admin.
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
  const claimedRoles = new Set(values.flatMap((value) => mapping.byValue.get(value) ?? []))
  const { db } = services
  const grants = await db
    .selectFrom('role_grants')
    .select(['role', 'from_claim'])
    .where('person_id', '=', personId)
    .execute()
  const change = { personId, by: null }
  for (const role of claimedRoles)
    if (!grants.some((grant) => grant.role === role))
      await tryChange(services, role, () => roleActions.grantRole(services, { ...change, role, isFromClaim: true }))
  for (const { role, from_claim: isFromClaim } of grants)
    if (isFromClaim && role !== 'super-admin' && !claimedRoles.has(role))
      await tryChange(services, role, () => roleActions.revokeRole(services, { ...change, role, keepsLastAdmin: true }))
}

/** A change that isn't allowed, such as revoking the last administrator's role, doesn't fail the sign-in. */
async function tryChange(services: Services, role: PlatformRole, changeRole: () => Promise<void>): Promise<void> {
  try {
    await changeRole()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    services.log.warn({ role, reason: error.message }, 'a role from a claim was not changed')
  }
}
