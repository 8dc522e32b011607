import { sql } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { deleteUnusedLinks, isPasswordExposed, lockPerson } from '#server/accounts/one-time-link.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { buildSuperAdminRemainsCondition, createLastSuperAdminProblem, lockSuperAdmins } from './last-super-admin.ts'

export interface RoleChange {
  personId: string
  role: PlatformRole
  by: { id: string } | null
}

/** Idempotent. @throws Problem 404; 409 if the creator of a reset link may know the password, as revoking wouldn't help */
export async function grantRole(services: Services, { personId, role, by }: RoleChange): Promise<void> {
  const { db } = services
  const insertGrant = db
    .insertInto('role_grants')
    .columns(['person_id', 'role', 'granted_at', 'granted_by'])
    .expression((from) =>
      from
        .selectFrom('people')
        .select([
          'people.id as person_id',
          sql<PlatformRole>`${role}`.as('role'),
          sql.val(services.now().getTime()).as('granted_at'),
          sql.val(by?.id ?? null).as('granted_by'),
        ])
        .where('people.id', '=', personId)
        .where(({ not }) => not(isPasswordExposed(personId))),
    )
    .onConflict((conflict) => conflict.doNothing())
  try {
    await db.batch([
      ...lockPerson(services, personId),
      requireChanges(insertGrant),
      // A link created for the weaker account must not open the stronger one.
      deleteUnusedLinks(services, personId),
      insertAudit(services, { action: 'role-granted', actor: by, personId, subject: role }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    if (!(await hasRole(services, personId, role))) throw await explainRefusedGrant(services, personId)
  }
  publishRoleChange(services, personId)
}

async function explainRefusedGrant({ db }: Services, personId: string): Promise<Problem> {
  const account = await db.selectFrom('people').select('id').where('id', '=', personId).executeTakeFirst()
  if (!account) return accountNotFound()
  return new Problem('conflict', {
    message:
      'The password of this account was set through a reset link, and the person who created the link may know it. Create a new reset link; once it is used, grant the role.',
  })
}

/** Idempotent. @throws Problem 409 for the last super-admin */
export async function revokeRole(services: Services, { personId, role, by }: RoleChange): Promise<void> {
  let deleteGrant = services.db.deleteFrom('role_grants').where('person_id', '=', personId).where('role', '=', role)
  if (role === 'super-admin') deleteGrant = deleteGrant.where(buildSuperAdminRemainsCondition(personId))
  try {
    await services.db.batch([
      ...(role === 'super-admin' ? lockSuperAdmins(services) : []),
      requireChanges(deleteGrant),
      insertAudit(services, { action: 'role-revoked', actor: by, personId, subject: role }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    if (await hasRole(services, personId, role)) throw createLastSuperAdminProblem()
  }
  publishRoleChange(services, personId)
}

function publishRoleChange(services: Services, personId: string): void {
  services.sessions.forgetPerson(personId)
  services.live.publish(personId, { type: 'session-changed' })
}

async function hasRole(services: Services, personId: string, role: PlatformRole): Promise<boolean> {
  const grant = await services.db
    .selectFrom('role_grants')
    .select('person_id')
    .where('person_id', '=', personId)
    .where('role', '=', role)
    .executeTakeFirst()
  return grant !== undefined
}

export function accountNotFound(): Problem {
  return new Problem('not-found', { message: 'This account doesn’t exist.' })
}
