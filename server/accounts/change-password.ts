import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { forgettingOneTimeLinks } from './one-time-link.ts'
import { hashPassword } from './password.ts'
import type { Person } from './person.ts'
import { hashIfPresent, notThePresentOne } from './present-password.ts'
import { endOtherSessions } from './sessions.ts'

/** A request for the password just set counts as a retry of a lost response in this window. */
const asksAgainMs = 10 * 60 * 1000

/** Checks the current password, sets a new one and ends all other sessions and reset links. Idempotent for retries. */
export async function changePassword(
  services: Services,
  person: Person,
  given: { currentPassword: string; newPassword: string },
): Promise<void> {
  const presentHash = await hashIfPresent(services, person, given.currentPassword)
  if (presentHash === undefined) {
    if ((await changedJustNow(services, person)) && (await hashIfPresent(services, person, given.newPassword))) return
    throw notThePresentOne('currentPassword')
  }
  await refuseCommonPassword('newPassword', given.newPassword)
  const passwordHash = await hashPassword(services, given.newPassword)
  try {
    await endOtherSessions(services, person.id, person.sessionId, [
      requireChanges(
        settingPassword(services, person.id, passwordHash)
          .where('password_hash', '=', presentHash)
          .where('deactivated_at', 'is', null),
      ),
      forgettingOneTimeLinks(services, person.id),
      auditing(services, { action: 'password-changed', actor: person, personId: person.id }),
    ])
  } catch (error) {
    // A reset link changed it concurrently, so the old password no longer counts.
    throw error instanceof UnexpectedChanges ? notThePresentOne('currentPassword') : error
  }
}

async function changedJustNow({ db, now }: Services, person: Person): Promise<boolean> {
  const change = await db
    .selectFrom('audit_events')
    .select('id')
    .where('actor_id', '=', person.id)
    .where('at', '>', now().getTime() - asksAgainMs)
    .where('action', '=', 'password-changed')
    .limit(1)
    .executeTakeFirst()
  return change !== undefined
}

export function settingPassword(services: Services, personId: string, passwordHash: string) {
  return services.db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId)
}
