import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { deletePendingEmail, sendOrQueueEmail } from '#server/email/pending-emails.ts'
import { Problem } from '#server/http/problem.ts'
import { requireRecentProof } from '#server/http/require-recent-proof.ts'
import { countAttempts, deleteAttempts, requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { type Email, emailAboutSecurity } from './mailer.ts'
import {
  createResetLink,
  deleteOtherLinks,
  deleteUnusedLinks,
  findOneTimeLink,
  lockPerson,
  type ResetLinkOptions,
  redeemOneTimeLink,
} from './one-time-link.ts'
import { createWrongPasswordProblem, findCurrentHash, hashPassword, refuseCommonPassword } from './password.ts'
import type { Person } from './person.ts'
import { buildProofWrite } from './recent-proof.ts'
import { endOtherSessions } from './sessions.ts'
import { hasPassword } from './sign-in-methods.ts'

/** In this window, a change to the password that was just set counts as a retry after a lost response. */
const retryWindowMs = 10 * 60 * 1000

/** Ends all other sessions and reset links. Sets the first password with a recent proof. Idempotent for retries. */
export async function changePassword(
  services: Services,
  person: Person,
  input: { currentPassword?: string | undefined; newPassword: string },
): Promise<void> {
  const currentHash =
    (await findPlaceholderHash(services, person)) ??
    (await findCurrentHash(services, person, input.currentPassword ?? ''))
  if (currentHash === undefined) {
    if (
      (await hasJustChangedPassword(services, person)) &&
      (await findCurrentHash(services, person, input.newPassword))
    )
      return
    throw createWrongPasswordProblem('currentPassword')
  }
  await refuseCommonPassword('newPassword', input.newPassword)
  const passwordHash = await hashPassword(services, input.newPassword)
  const isChanged = await endOtherSessions(services, person.id, person.sessionId, [
    requireChanges(
      setPassword(services, person.id, passwordHash)
        .where('password_hash', '=', currentHash)
        .where('deactivated_at', 'is', null),
    ),
    deleteUnusedLinks(services, person.id),
    deletePendingEmail(services, 'password-reset', person.id),
    buildProofWrite(services, person, 'password'),
    insertAudit(services, { action: 'password-changed', actor: person, personId: person.id }),
  ])
  // A reset link changed it concurrently, so the old password no longer counts.
  if (!isChanged) throw createWrongPasswordProblem('currentPassword')
  await emailAboutSecurity(services, person.id, {
    subject: 'The password of your Keeper account was changed',
    text: 'The password was changed, and every other session was signed out.',
  })
}

/** The stored placeholder of an account without a password. @throws Problem 403 without a recent proof */
async function findPlaceholderHash(services: Services, person: Person): Promise<string | undefined> {
  const { password_hash: storedHash } = await services.db
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  if (hasPassword(storedHash)) return undefined
  requireRecentProof(services, person)
  return storedHash
}

function hasJustChangedPassword({ db, now }: Services, person: Person): Promise<boolean> {
  return db.exists(
    db
      .selectFrom('audit_events')
      .select('id')
      .where('actor_id', '=', person.id)
      .where('at', '>', now().getTime() - retryWindowMs)
      .where('action', '=', 'password-changed'),
  )
}

function setPassword(services: Services, personId: string, passwordHash: string) {
  return services.db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId)
}

/** Emails a reset link if the account exists and email is set up. The response doesn't reveal which. */
export async function requestPasswordReset(
  services: Services,
  email: string,
  address: string,
): Promise<{ mailed: boolean }> {
  await requireAttempt(services, { kind: 'password-reset', limit: 10, windowMs: hourMs }, address)
  const mailed = services.mailer.isSetUp
  const account = await services.db
    .selectFrom('people')
    .select('id')
    .where('email_folded', '=', email.toLowerCase())
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  // Not awaited: its duration or failure would reveal that the account exists.
  if (account && mailed)
    mailResetLink(services, account.id).catch((error: unknown) =>
      services.log.error({ err: error }, 'a reset email could not be sent'),
    )
  return { mailed }
}

async function mailResetLink(services: Services, personId: string): Promise<void> {
  const hourlyThrottle = { kind: 'password-reset-mail', limit: 5, windowMs: hourMs }
  const dailyThrottle = { kind: 'password-reset-mail-a-day', limit: 10, windowMs: dayMs }
  for (const throttle of [hourlyThrottle, dailyThrottle])
    if (!(await countAttempts(services, throttle, personId)).isWithinLimit) return
  const email = await writeResetEmail(services, personId)
  if (email) await sendOrQueueEmail(services, { kind: 'password-reset', subjectId: personId, personId }, email)
}

/** The email with a new link; `null` for an account deactivated or deleted in the meantime. */
export async function writeResetEmail(services: Services, personId: string): Promise<Email | null> {
  const account = await services.db.selectFrom('people').select('email').where('id', '=', personId).executeTakeFirst()
  const link = account && (await createResetUrl(services, personId))
  if (!link) return null
  return {
    to: account.email,
    subject: 'Set a new password for Keeper',
    text: `Someone, hopefully you, requested a password reset for this address.\n\nOpen this link within an hour to choose a new one:\n${link}\n\nIf it wasn’t you, ignore this email. Your password stays the same.`,
  }
}

/** URL of a one-time reset page; `null` for an account deactivated or deleted in the meantime. */
export async function createResetUrl(
  services: Services,
  personId: string,
  options?: ResetLinkOptions,
): Promise<string | null> {
  try {
    const token = await createResetLink(services, personId, options)
    return `${getPublicUrl(services)}/login?reset=${token}`
  } catch (error) {
    if (error instanceof UnexpectedChanges) return null
    throw error
  }
}

/** Sets the password and ends all sessions. @throws Problem 403 for an invalid, used or expired link; 400 for a common password */
export async function completePasswordReset(
  services: Services,
  input: { token: string; newPassword: string },
): Promise<void> {
  await refuseCommonPassword('newPassword', input.newPassword)
  const link = await findOneTimeLink(services, 'password-reset', input.token)
  if (!link?.personId) throw new Problem('reset-link-refused')
  const passwordHash = await hashPassword(services, input.newPassword)
  const account = await services.db
    .selectFrom('people')
    .select('email_folded')
    .where('id', '=', link.personId)
    .executeTakeFirst()
  if (!account) throw new Problem('reset-link-refused')
  const isReset = await endOtherSessions(services, link.personId, null, [
    ...lockPerson(services, link.personId),
    redeemOneTimeLink(services, 'password-reset', input.token),
    setPassword(services, link.personId, passwordHash),
    deleteOtherLinks(services, link.personId, input.token),
    // The lockout message suggests resetting the password, so the reset clears it.
    deleteAttempts(account.email_folded),
    deletePendingEmail(services, 'password-reset', link.personId),
    insertAudit(services, { action: 'password-reset', actor: { id: link.personId }, personId: link.personId }),
  ])
  if (!isReset) throw new Problem('reset-link-refused')
}
