import { type AccountDeletion, deletionGraceDays } from '#contract/accounts/own-account.ts'
import {
  buildSuperAdminRemainsCondition,
  createLastSuperAdminProblem,
  isLastSuperAdmin,
  lockSuperAdmins,
} from '#server/administration/roles.ts'
import { countKeepersAndAgents } from '#server/administration/users.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { sendOrQueueEmail } from '#server/email/pending-emails.ts'
import { requireRecentProof } from '#server/http/require-recent-proof.ts'
import { countAttempts } from '#server/http/throttle.ts'
import { getPersonTimezone } from '#server/keepers/person-timezone.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'
import type { Email } from '../mailer.ts'
import { requireCurrentPassword } from '../password.ts'
import type { Person } from '../person.ts'
import { buildProofWrite } from '../recent-proof.ts'
import { hasPassword, personHasPassword } from '../sign-in-methods.ts'

const deletionGraceMs = deletionGraceDays * dayMs

/**
 * Requires the password, or a recent proof for an account that has none. Idempotent.
 * @throws Problem 400 for a wrong password, 403 without a proof, 429 after too many, 409 for the last super-admin
 */
export async function requestDeletion(services: Services, person: Person, password = ''): Promise<AccountDeletion> {
  const { db } = services
  const usesPassword = await personHasPassword(services, person.id)
  if (usesPassword) await requireCurrentPassword(services, person, 'password', password)
  else requireRecentProof(services, person)
  const deletesAt = services.now().getTime() + deletionGraceMs
  const deleteOtherSessions = db
    .deleteFrom('sessions')
    .where('person_id', '=', person.id)
    .where('id', '!=', person.sessionId)
  const isScheduled = await db.batchUnlessChanged([
    ...lockSuperAdmins(services),
    requireChanges(
      db
        .updateTable('people')
        .set({ deletes_at: deletesAt })
        .where('id', '=', person.id)
        .where('deletes_at', 'is', null)
        .where(buildSuperAdminRemainsCondition(person.id)),
    ),
    deleteOtherSessions,
    ...(usesPassword ? [buildProofWrite(services, person, 'password')] : []),
    insertAudit(services, { action: 'account-deletion-asked', actor: person, personId: person.id }),
  ])
  if (!isScheduled) {
    const deletion = await showDeletion(services, person)
    if (deletion.deletesAt === null) throw createLastSuperAdminProblem()
    return deletion
  }
  services.sessions.evictPerson(person.id)
  services.live.publish(person.id, { type: 'session-ended' })
  services.live.publish(person.id, { type: 'account-changed' })
  await emailAboutDeletion(services, person)
  return showDeletion(services, person)
}

async function emailAboutDeletion(services: Services, person: Person): Promise<void> {
  if (!services.mailer.isSetUp) return
  // Limited: repeated requests could flood the mailbox of an unverified address.
  const throttle = { kind: 'deletion-mail', limit: 3, windowMs: dayMs }
  if (!(await countAttempts(services, throttle, person.id)).isWithinLimit) return
  const email = await writeDeletionEmail(services, person.id)
  // Not awaited: the request stands even if the email fails.
  if (email)
    sendOrQueueEmail(services, { kind: 'account-deletion', subjectId: person.id, personId: person.id }, email).catch(
      (error: unknown) => services.log.error({ err: error }, 'an email about a deletion could not be sent'),
    )
}

/** `null` if the deletion was canceled. */
export async function writeDeletionEmail(services: Services, personId: string): Promise<Email | null> {
  const account = await services.db
    .selectFrom('people')
    .select(['email', 'deletes_at'])
    .where('id', '=', personId)
    .executeTakeFirst()
  if (!account?.deletes_at) return null
  const timeZone = await getPersonTimezone(services, personId).catch(() => 'UTC')
  // With time and zone: the UTC date alone could be a day late in the person's zone.
  const date = new Intl.DateTimeFormat('en-US', { ...dateFormat, timeZone }).format(account.deletes_at)
  return {
    to: account.email,
    subject: 'Your Keeper account will be deleted',
    text: `You, or someone who can sign in as you, asked to delete your Keeper account.\n\nOn ${date} it will be deleted with everything in it, and it can’t be restored. Until then you can keep it: sign in and choose "Keep my account".\n${getPublicUrl(services)}/root/profile\n\nIf it wasn’t you, keep the account and change your password.`,
  }
}

const dateFormat: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
}

export async function cancelDeletion(services: Services, person: Person): Promise<AccountDeletion> {
  const isCanceled = await services.db.batchUnlessChanged([
    requireChanges(
      services.db
        .updateTable('people')
        .set({ deletes_at: null })
        .where('id', '=', person.id)
        .where('deletes_at', '>', services.now().getTime()),
    ),
    insertAudit(services, { action: 'account-deletion-withdrawn', actor: person, personId: person.id }),
  ])
  if (isCanceled) {
    services.sessions.evictPerson(person.id)
    services.live.publish(person.id, { type: 'account-changed' })
  }
  return showDeletion(services, person)
}

export async function showDeletion(services: Services, person: Person): Promise<AccountDeletion> {
  const { db } = services
  const { deletes_at, password_hash } = await db
    .selectFrom('people')
    .select(['deletes_at', 'password_hash'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const domains = await db
    .selectFrom('domains')
    .select(({ fn, selectFrom }) => [
      'domains.id',
      'domains.name',
      selectFrom('domain_members')
        .select(fn.countAll<number>().as('count'))
        .whereRef('domain_members.domain_id', '=', 'domains.id')
        .as('memberCount'),
    ])
    .where('owner_id', '=', person.id)
    .orderBy('domains.name')
    .orderBy('domains.id')
    .execute()
  return {
    deletesAt: toIsoTimeOrNull(deletes_at),
    domains: domains.map(({ id, name, memberCount }) => ({ id, name, otherMembers: Number(memberCount) })),
    counts: { ...(await countKeepersAndAgents(services, person.id)), domains: domains.length },
    lastSuperAdmin: await isLastSuperAdmin(services, person.id),
    hasPassword: hasPassword(password_hash),
  }
}
