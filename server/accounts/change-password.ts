import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { refuseCommonPassword } from './common-passwords.ts'
import { findCurrentHash, wrongCurrentPassword } from './current-password.ts'
import { deleteUnusedLinks } from './one-time-link.ts'
import { hashPassword } from './password.ts'
import type { Person } from './person.ts'
import { endOtherSessions } from './sessions.ts'

/** In this window, a change to the password that was just set counts as a retry after a lost response. */
const retryWindowMs = 10 * 60 * 1000

/** Ends all other sessions and reset links. Idempotent for retries. */
export async function changePassword(
  services: Services,
  person: Person,
  input: { currentPassword: string; newPassword: string },
): Promise<void> {
  const currentHash = await findCurrentHash(services, person, input.currentPassword)
  if (currentHash === undefined) {
    if (
      (await hasJustChangedPassword(services, person)) &&
      (await findCurrentHash(services, person, input.newPassword))
    )
      return
    throw wrongCurrentPassword('currentPassword')
  }
  await refuseCommonPassword('newPassword', input.newPassword)
  const passwordHash = await hashPassword(services, input.newPassword)
  try {
    await endOtherSessions(services, person.id, person.sessionId, [
      requireChanges(
        setPassword(services, person.id, passwordHash)
          .where('password_hash', '=', currentHash)
          .where('deactivated_at', 'is', null),
      ),
      deleteUnusedLinks(services, person.id),
      insertAudit(services, { action: 'password-changed', actor: person, personId: person.id }),
    ])
  } catch (error) {
    // A reset link changed it concurrently, so the old password no longer counts.
    throw error instanceof UnexpectedChanges ? wrongCurrentPassword('currentPassword') : error
  }
}

async function hasJustChangedPassword({ db, now }: Services, person: Person): Promise<boolean> {
  const change = await db
    .selectFrom('audit_events')
    .select('id')
    .where('actor_id', '=', person.id)
    .where('at', '>', now().getTime() - retryWindowMs)
    .where('action', '=', 'password-changed')
    .limit(1)
    .executeTakeFirst()
  return change !== undefined
}

export function setPassword(services: Services, personId: string, passwordHash: string) {
  return services.db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId)
}
