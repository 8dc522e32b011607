import { deactivateAccount } from '#server/administration/account-actions.ts'
import { revokeRole } from '#server/administration/roles.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { Actor, TestApp } from './test-app.ts'

const permissions = new Set(['manage_platform_roles', 'manage_users'] as const)
const createAdministrator = (id: string) => ({ id, permissions }) as unknown as Parameters<typeof deactivateAccount>[1]

/** Removes a super-admin while the other one is being removed. */
type RemovalAction = (services: Services, actorId: string, personId: string) => Promise<void>
const revoke: RemovalAction = (services, actorId, personId) =>
  revokeRole(services, { personId, role: 'super-admin', by: { id: actorId } })
const deactivate: RemovalAction = (services, actorId, personId) =>
  deactivateAccount(services, createAdministrator(actorId), personId)
const resign: RemovalAction = (services, _by, personId) => revoke(services, personId, personId)
const actionPairs: [RemovalAction, RemovalAction][] = [
  [revoke, revoke],
  [revoke, deactivate],
  [deactivate, deactivate],
  [resign, resign],
  [revoke, resign],
  [deactivate, resign],
]

/** Two super-admins remove each other concurrently, until a round leaves no active one or `maxRounds` are over. */
export async function raceSuperAdmins({ services }: TestApp, [one, other]: [Actor, Actor], maxRounds: number) {
  const { db } = services
  const refused: string[] = []
  let hasNoSuperAdmin = false
  for (let round = 0; round < maxRounds && !hasNoSuperAdmin; round++) {
    for (const { id } of [one, other])
      await db.batch([
        db.updateTable('people').set({ deactivated_at: null }).where('id', '=', id),
        db
          .insertInto('role_grants')
          .values({ person_id: id, role: 'super-admin', granted_at: round, granted_by: null })
          .onConflict((conflict) => conflict.doNothing()),
      ])
    const [first, second] = actionPairs[round % actionPairs.length] ?? [revoke, revoke]
    const outcomes = await Promise.allSettled([first(services, one.id, other.id), second(services, other.id, one.id)])
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      if (!(outcome.reason instanceof Problem)) throw outcome.reason
      refused.push(outcome.reason.kind)
    }
    const remaining = await db
      .selectFrom('role_grants')
      .innerJoin('people', 'people.id', 'role_grants.person_id')
      .select('people.id')
      .where('role_grants.role', '=', 'super-admin')
      .where('people.deactivated_at', 'is', null)
      .execute()
    hasNoSuperAdmin = remaining.length === 0
  }
  return { hasNoSuperAdmin, refused }
}
