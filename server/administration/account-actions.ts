import { sql } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { deletionGraceDays } from '#contract/accounts/own-account.ts'
import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import { createResetUrl } from '#server/accounts/change-password.ts'
import { deleteUnusedLinks } from '#server/accounts/one-time-link.ts'
import type { Person } from '#server/accounts/person.ts'
import { removeSecondFactor } from '#server/accounts/second-factor/second-factor.ts'
import { endOtherSessions } from '#server/accounts/sessions.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { publishAllDomainsChanged } from '#server/domains/publish-domain-changed.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import {
  buildSuperAdminRemainsCondition,
  createAccountNotFoundProblem,
  createLastSuperAdminProblem,
  lockSuperAdmins,
} from './roles.ts'

type Actor = Pick<Person, 'id' | 'permissions'>

/**
 * Anyone who grants roles can act on all accounts but their own; others only on accounts without permissions they lack.
 */
export function canActOn(person: Actor, account: { id: string; roles: readonly PlatformRole[] }): boolean {
  if (account.id === person.id) return false
  if (person.permissions.has('manage_platform_roles')) return true
  return [...getRolePermissions(account.roles)].every((permission) => person.permissions.has(permission))
}

/** @throws Problem 404 for an unknown account, 403 for one the person can't act on */
async function requireManageableAccount(services: Services, person: Actor, id: string) {
  const account = await services.db
    .selectFrom('people')
    .select(['id', 'deactivated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw createAccountNotFoundProblem()
  const grants = await services.db.selectFrom('role_grants').select('role').where('person_id', '=', id).execute()
  const roles = grants.map(({ role }) => role)
  if (canActOn(person, { id, roles })) return { ...account, roles }
  throw new Problem('forbidden', {
    message:
      id === person.id
        ? 'This is your own account. Sign out or delete it under Profile.'
        : 'This account has permissions yours doesn’t. Ask a super-admin.',
  })
}

/** Idempotent; keeps data even past a requested deletion. @throws Problem 403, 404; 409 for the last super-admin */
export async function deactivateAccount(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  const isDeactivated = await endOtherSessions(services, id, null, [
    ...lockSuperAdmins(services),
    requireChanges(
      services.db
        .updateTable('people')
        .set({ deactivated_at: services.now().getTime() })
        .where('id', '=', id)
        .where('deactivated_at', 'is', null)
        .where(buildSuperAdminRemainsCondition(id)),
    ),
    deleteUnusedLinks(services, id),
    insertAudit(services, { action: 'account-deactivated', actor: person, personId: id }),
  ])
  if (isDeactivated) return publishAllDomainsChanged(services, id)
  const { deactivated_at } = await requireManageableAccount(services, person, id)
  if (deactivated_at === null) throw createLastSuperAdminProblem()
}

/** Restarts the grace period of a requested deletion. Idempotent. @throws Problem 403, 404 */
export async function reactivateAccount(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  const extendedDeadline = services.now().getTime() + deletionGraceDays * dayMs
  const reactivatePerson = services.db
    .updateTable('people')
    .set({
      deactivated_at: null,
      // An account deactivated after its deadline is already being deleted, and stays so.
      deletes_at: sql<
        number | null
      >`case when deactivated_at < deletes_at and deletes_at < ${extendedDeadline} then ${extendedDeadline}
        else deletes_at end`,
    })
    .where('id', '=', id)
    .where('deactivated_at', 'is not', null)
  const isReactivated = await services.db.batchUnlessChanged([
    requireChanges(reactivatePerson),
    insertAudit(services, { action: 'account-reactivated', actor: person, personId: id }),
  ])
  if (isReactivated) await publishAllDomainsChanged(services, id)
}

/** Ends all sessions, streams and password links of an account. @throws Problem 403, 404 */
export async function signOutEverywhere(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  await endOtherSessions(services, id, null, [
    deleteUnusedLinks(services, id),
    insertAudit(services, { action: 'signed-out-everywhere', actor: person, personId: id }),
  ])
}

/** For a lost phone. The person gets an email, and signs in with the password alone. Idempotent. @throws Problem 403, 404 */
export async function removeAnothersSecondFactor(services: Services, person: Person, id: string): Promise<void> {
  await requireManageableAccount(services, person, id)
  await removeSecondFactor(services, id, person)
}

const maxAttempts = 4

/** A reset link for the command line to print. @throws Problem 409 for a deactivated account */
export async function createCommandLineResetLink(services: Services, personId: string): Promise<string> {
  const extraWrites = [insertAudit(services, { action: 'reset-link-made', actor: null, personId })]
  const link = await createResetUrl(services, personId, { issuedByAdmin: { isIssuerLimited: false }, extraWrites })
  if (link === null) throw createDeactivatedProblem()
  return link
}

/** @throws Problem 403, 404; 409 for a deactivated account */
export async function createHandedOverResetLink(services: Services, person: Person, id: string): Promise<string> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { deactivated_at, roles } = await requireManageableAccount(services, person, id)
    if (deactivated_at !== null) throw createDeactivatedProblem()
    const link = await createResetUrl(services, id, {
      issuedByAdmin: { isIssuerLimited: !person.permissions.has('manage_platform_roles'), allowedRoles: roles },
      extraWrites: [insertAudit(services, { action: 'reset-link-made', actor: person, personId: id })],
    })
    if (link !== null) return link
  }
  throw new Problem('conflict')
}

function createDeactivatedProblem(): Problem {
  return new Problem('conflict', { message: 'This account is deactivated. Reactivate it first.' })
}
