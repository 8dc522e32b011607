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
import { countAttempts } from '#server/http/throttle.ts'
import { getPersonTimezone } from '#server/keepers/person-timezone.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'
import { requireCurrentPassword } from '../password.ts'
import type { Person } from '../person.ts'

const deletionGraceMs = deletionGraceDays * dayMs

/** Idempotent. @throws Problem 400 for a wrong password, 429 after too many, 409 for the last super-admin */
export async function requestDeletion(services: Services, person: Person, password: string): Promise<AccountDeletion> {
  await requireCurrentPassword(services, person, 'password', password)
  const { db } = services
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
    insertAudit(services, { action: 'account-deletion-asked', actor: person, personId: person.id }),
  ])
  if (!isScheduled) {
    const deletion = await showDeletion(services, person)
    if (deletion.deletesAt === null) throw createLastSuperAdminProblem()
    return deletion
  }
  services.sessions.forgetPerson(person.id)
  services.live.publish(person.id, { type: 'session-ended' })
  services.live.publish(person.id, { type: 'account-changed' })
  await emailAboutDeletion(services, person, deletesAt)
  return showDeletion(services, person)
}

async function emailAboutDeletion(services: Services, person: Person, deletesAt: number): Promise<void> {
  if (!services.mailer.isSetUp) return
  // Limited: repeated requests could flood the mailbox of an unverified address.
  const perDay = { kind: 'deletion-mail', limit: 3, windowMs: dayMs }
  if (!(await countAttempts(services, perDay, person.id)).isWithinLimit) return
  const timeZone = await getPersonTimezone(services, person.id).catch(() => 'UTC')
  // With time and zone: the UTC date alone could be a day late in the person's zone.
  const date = new Intl.DateTimeFormat('en-US', { ...dateFormat, timeZone }).format(deletesAt)
  // Not awaited: the request stands even if the email fails.
  services.mailer
    .send({
      to: person.email,
      subject: 'Your Keeper account will be deleted',
      text: `You, or someone who knows your password, asked to delete your Keeper account.\n\nOn ${date} it will be deleted with everything in it, and it can’t be restored. Until then you can keep it: sign in and choose "Keep my account".\n${getPublicUrl(services)}/root/profile\n\nIf it wasn’t you, keep the account and change your password.`,
    })
    .catch((error: unknown) => services.log.error({ err: error }, 'an email about a deletion could not be sent'))
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
    services.sessions.forgetPerson(person.id)
    services.live.publish(person.id, { type: 'account-changed' })
  }
  return showDeletion(services, person)
}

export async function showDeletion(services: Services, person: Person): Promise<AccountDeletion> {
  const { db } = services
  const { deletes_at } = await db
    .selectFrom('people')
    .select('deletes_at')
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
        .as('members'),
    ])
    .where('owner_id', '=', person.id)
    .orderBy('domains.name')
    .orderBy('domains.id')
    .execute()
  return {
    deletesAt: toIsoTimeOrNull(deletes_at),
    domains: domains.map(({ id, name, members }) => ({ id, name, otherMembers: Number(members) })),
    counts: { ...(await countKeepersAndAgents(services, person.id)), domains: domains.length },
    lastSuperAdmin: await isLastSuperAdmin(services, person.id),
  }
}
