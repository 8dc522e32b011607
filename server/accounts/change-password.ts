import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { forgettingOneTimeLinks } from './one-time-link.ts'
import { hashPassword } from './password.ts'
import type { Person } from './person.ts'
import { notThePresentOne, requirePresentPassword } from './present-password.ts'
import { refuseCommonPassword } from './register.ts'
import { endOtherSessions } from './sessions.ts'

/** Changes the password of who knows the present one; every other session ends, and so do links to set it. */
export async function changePassword(
  services: Services,
  person: Person,
  given: { currentPassword: string; newPassword: string },
): Promise<void> {
  const presentHash = await requirePresentPassword(services, person, 'currentPassword', given.currentPassword)
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
    // Changed by a link meanwhile: who knew the one of before does not set another.
    throw error instanceof UnexpectedChanges ? notThePresentOne('currentPassword') : error
  }
}

/** To be part of one batch with what else the change means. */
export function settingPassword(services: Services, personId: string, passwordHash: string) {
  return services.db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId)
}
