import { sql } from 'kysely'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { forgettingOneTimeLinks, lesserMakerKnowsPassword, lockingPerson } from '#server/accounts/one-time-link.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { lastSuperAdmin, lockingSuperAdmins, superAdminStaysWithout } from './last-super-admin.ts'

export interface RoleChange {
  personId: string
  role: PlatformRole
  /** Who changes it; `null` from the command line. */
  by: { id: string } | null
}

/**
 * It counts from the person's next request; links to set the password end. Granting twice changes nothing. Not to an
 * account whose password the maker of a reset link may know, be they signed in with it or not: nothing that is ended
 * here would keep them out.
 * @throws Problem 404 where nobody has that id, 409 for that account
 */
export async function grantRole(services: Services, { personId, role, by }: RoleChange): Promise<void> {
  const { db } = services
  const granting = db
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
        .where(({ not }) => not(lesserMakerKnowsPassword(personId))),
    )
    .onConflict((conflict) => conflict.doNothing())
  try {
    await db.batch([
      ...lockingPerson(services, personId),
      requireChanges(granting),
      // Whoever made a link for the account that it was must not become by it what it is now.
      forgettingOneTimeLinks(services, personId),
      auditing(services, { action: 'role-granted', actor: by, personId, subject: role }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    if (!(await holds(services, personId, role))) throw await whyNotGranted(services, personId)
  }
  tellOfRights(services, personId)
}

async function whyNotGranted({ db }: Services, personId: string): Promise<Problem> {
  const found = await db.selectFrom('people').select('id').where('id', '=', personId).executeTakeFirst()
  if (!found) return accountNotFound()
  return new Problem('conflict', {
    message:
      'The password of this account was set by a reset link from somebody who may not grant roles and may know it. Make a new reset link for it; once that is used, grant the role.',
  })
}

/** Taking away what is not held changes nothing. @throws Problem 409 for the last super-admin */
export async function revokeRole(services: Services, { personId, role, by }: RoleChange): Promise<void> {
  let revoking = services.db.deleteFrom('role_grants').where('person_id', '=', personId).where('role', '=', role)
  if (role === 'super-admin') revoking = revoking.where(superAdminStaysWithout(personId))
  try {
    await services.db.batch([
      ...(role === 'super-admin' ? lockingSuperAdmins(services) : []),
      requireChanges(revoking),
      auditing(services, { action: 'role-revoked', actor: by, personId, subject: role }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    if (await holds(services, personId, role)) throw lastSuperAdmin()
  }
  tellOfRights(services, personId)
}

function tellOfRights(services: Services, personId: string): void {
  services.sessions.forgetPerson(personId)
  services.live.tell(personId, { type: 'session-changed' })
}

async function holds(services: Services, personId: string, role: PlatformRole): Promise<boolean> {
  const held = await services.db
    .selectFrom('role_grants')
    .select('person_id')
    .where('person_id', '=', personId)
    .where('role', '=', role)
    .executeTakeFirst()
  return held !== undefined
}

export function accountNotFound(): Problem {
  return new Problem('not-found', { message: 'There is no such account.' })
}
