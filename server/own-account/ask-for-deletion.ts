import { type AccountDeletion, deletionGraceDays } from '#contract/accounts/own-account.ts'
import type { Person } from '#server/accounts/person.ts'
import { requirePresentPassword } from '#server/accounts/present-password.ts'
import { lastSuperAdmin, lockingSuperAdmins, superAdminStaysWithout } from '#server/administration/last-super-admin.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { countTry } from '#server/http/throttle.ts'
import { livedZone } from '#server/keepers/lived-zone.ts'
import { ownAddress } from '#server/own-address.ts'
import type { Services } from '#server/services.ts'
import { showDeletion } from './show-deletion.ts'

const graceMs = deletionGraceDays * dayMs

/** Idempotent. @throws Problem 400 for a wrong password, 429 after too many, 409 for the last super-admin */
export async function askForDeletion(services: Services, person: Person, password: string): Promise<AccountDeletion> {
  await requirePresentPassword(services, person, 'password', password)
  const { db } = services
  const deletesAt = services.now().getTime() + graceMs
  const others = db.deleteFrom('sessions').where('person_id', '=', person.id).where('id', '!=', person.sessionId)
  try {
    await db.batch([
      ...lockingSuperAdmins(services),
      requireChanges(
        db
          .updateTable('people')
          .set({ deletes_at: deletesAt })
          .where('id', '=', person.id)
          .where('deletes_at', 'is', null)
          .where(superAdminStaysWithout(person.id)),
      ),
      others,
      auditing(services, { action: 'account-deletion-asked', actor: person, personId: person.id }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    const asked = await showDeletion(services, person)
    if (asked.deletesAt === null) throw lastSuperAdmin()
    return asked
  }
  services.sessions.forgetPerson(person.id)
  services.live.tell(person.id, { type: 'session-ended' })
  services.live.tell(person.id, { type: 'account-changed' })
  await mailAbout(services, person, deletesAt)
  return showDeletion(services, person)
}

async function mailAbout(services: Services, person: Person, deletesAt: number): Promise<void> {
  if (!services.mailer.isSetUp) return
  // Limited: repeated requests could flood the mailbox of an unverified address.
  const perDay = { kind: 'deletion-mail', limit: 3, windowMs: dayMs }
  if (!(await countTry(services, perDay, person.id)).within) return
  const timeZone = await livedZone(services, person.id).catch(() => 'UTC')
  // With time and zone: the UTC date alone could be a day late in the person's zone.
  const date = new Intl.DateTimeFormat('en-US', { ...toTheMinute, timeZone }).format(deletesAt)
  // Not awaited: the request stands even if the email fails.
  services.mailer
    .send({
      to: person.email,
      subject: 'Your Keeper account will be deleted',
      text: `You, or someone who knows your password, asked to delete your Keeper account.\n\nOn ${date} it will be deleted with everything in it, and it can’t be restored. Until then you can keep it: sign in and choose "Keep my account".\n${ownAddress(services)}/root/profile\n\nIf it wasn’t you, keep the account and change your password.`,
    })
    .catch((error: unknown) => services.log.error({ err: error }, 'an email about a deletion could not be sent'))
}

const toTheMinute: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
}
