import type { MemberRole } from '#contract/domains/domains.ts'
import type { InvitationWithLink } from '#contract/domains/invitations.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainAccess, type DomainRow, lockDomain, requireDomainAccess } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { emailInvitations } from './email-invitations.ts'
import {
  countInvitations,
  deriveInvitationLink,
  invitationLifetimeMs,
  selectInvitations,
  toInvitation,
} from './invitations.ts'

export const maxInvitations = 1000

interface InvitationInput {
  emails: string[]
  role: MemberRole
  note?: string | undefined
}

/** Invites all people or none. @throws Problem `bad-input` naming current members as `emails.3`, `unprocessable` above the limit */
export async function createInvitations(
  services: Services,
  person: Person,
  domainId: string,
  input: InvitationInput,
): Promise<InvitationWithLink[]> {
  const access = await requireDomainAccess(services, person, domainId, 'manageMembers')
  const { domain } = access
  await refuseMembers(services, domain, input.emails)
  const emails = new Map<string, string>()
  for (const email of input.emails) if (!emails.has(email.toLowerCase())) emails.set(email.toLowerCase(), email)
  await countInvitations(services, person, emails.size)
  const links = await writeInvitations(services, person, access, { ...input, emails })
  await publishDomainChanged(services, domainId)

  const note = input.note ?? ''
  const outgoingEmails = [...links.values()].map(({ id, email, link }) => ({ invitationId: id, to: email, link }))
  const emailedIds = await emailInvitations(
    services,
    outgoingEmails.map((email) => ({
      ...email,
      invitedBy: person.id,
      from: person.name,
      domain: domain.name,
      role: input.role,
      note,
    })),
  )
  const ids = [...links.values()].map(({ id }) => id)
  const rows = await selectInvitations(services).where('invitations.id', 'in', ids).execute()
  return [...emails.keys()].flatMap((normalizedEmail) => {
    const { id, link } = links.get(normalizedEmail) ?? {}
    const row = rows.find((invitation) => invitation.id === id)
    return row && id && link ? [{ ...toInvitation(services, row), link, mailed: emailedIds.has(id) }] : []
  })
}

async function refuseMembers(services: Services, domain: DomainRow, emails: string[]): Promise<void> {
  const normalizedEmails = emails.map((email) => email.toLowerCase())
  const members = await services.db
    .selectFrom('people')
    .leftJoin('domain_members', (join) =>
      join.onRef('domain_members.person_id', '=', 'people.id').on('domain_members.domain_id', '=', domain.id),
    )
    .select('email_folded')
    .where('email_folded', 'in', normalizedEmails)
    .where((where) =>
      where.or([where('people.id', '=', domain.owner_id), where('domain_members.role', 'is not', null)]),
    )
    .execute()
  if (members.length === 0) return
  const memberEmails = new Set(members.map((member) => member.email_folded))
  const fields = normalizedEmails.flatMap((email, index) =>
    memberEmails.has(email) ? [[`emails.${index}`, 'This person is already a member.'] as const] : [],
  )
  throw new Problem('bad-input', {
    message: 'Some of these people are already members. Remove them and send again. No one has been invited yet.',
    fields: Object.fromEntries(fields),
  })
}

async function writeInvitations(
  services: Services,
  person: Person,
  access: DomainAccess,
  input: Omit<InvitationInput, 'emails'> & { emails: Map<string, string> },
  attemptsLeft = 3,
): Promise<Map<string, { id: string; email: string; link: string }>> {
  const { db } = services
  const { role, note = '' } = input
  const domainId = access.domain.id
  const now = services.now().getTime()
  const openInvitations = await db
    .selectFrom('invitations')
    .select(['id', 'email_folded', 'sent_at'])
    .where('domain_id', '=', domainId)
    .where('email_folded', 'in', [...input.emails.keys()])
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  const dropWrites = await buildDropWrites(
    services,
    domainId,
    openInvitations,
    input.emails.size - openInvitations.length,
  )
  const links = new Map<string, { id: string; email: string; link: string }>()
  // Sorted, so that concurrent invitations of the same people don't deadlock.
  const writes = [...input.emails.keys()].toSorted().flatMap((normalizedEmail) => {
    const email = input.emails.get(normalizedEmail) ?? normalizedEmail
    const existingInvitation = openInvitations.find((row) => row.email_folded === normalizedEmail)
    const id = existingInvitation?.id ?? services.newId()
    const sent_at = existingInvitation ? Math.max(now, existingInvitation.sent_at + 1) : now
    const { link, hash } = deriveInvitationLink(services, { id, sent_at })
    links.set(normalizedEmail, { id, email, link })
    const expires_at = now + invitationLifetimeMs
    const columns = { email, role, note, token_hash: hash, invited_by: person.id, sent_at, expires_at }
    const action = existingInvitation ? 'invitation-resent' : 'invitation-sent'
    const auditWrite = insertAudit(services, { action, actor: person, domainId, subject: role })
    if (!existingInvitation) {
      const newColumns = { id, domain_id: domainId, email_folded: normalizedEmail, created_at: now }
      const openState = { accepted_at: null, accepted_by: null, revoked_at: null }
      return [db.insertInto('invitations').values({ ...newColumns, ...columns, ...openState }), auditWrite]
    }
    const renewal = db
      .updateTable('invitations')
      .set(columns)
      .where('id', '=', id)
      .where('sent_at', '=', existingInvitation.sent_at)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
    return [requireChanges(renewal), auditWrite]
  })
  try {
    await db.batch([...lockDomain(services, person, access), ...dropWrites, ...writes])
    return links
  } catch (error) {
    if (!(error instanceof UniqueViolation || error instanceof UnexpectedChanges)) throw error
    const currentAccess = await requireDomainAccess(services, person, domainId, 'manageMembers')
    if (attemptsLeft > 1) return writeInvitations(services, person, currentAccess, input, attemptsLeft - 1)
    throw new Problem('conflict', {
      message: 'Someone else is inviting the same people right now. Try again.',
      cause: error,
    })
  }
}

/** Deletes the oldest closed invitations to make space; `renewedInvitations` stay. @throws Problem `unprocessable` */
async function buildDropWrites(
  { db, now }: Services,
  domainId: string,
  renewedInvitations: readonly { id: string }[],
  addedCount: number,
): Promise<Write[]> {
  const { total } = await db
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .where('domain_id', '=', domainId)
    .executeTakeFirstOrThrow()
  const surplus = Number(total) + addedCount - maxInvitations
  if (surplus <= 0 || addedCount === 0) return []
  const oldest = await db
    .selectFrom('invitations')
    .select('id')
    .where('domain_id', '=', domainId)
    .where((where) =>
      where.or([
        where('accepted_at', 'is not', null),
        where('revoked_at', 'is not', null),
        where('expires_at', '<=', now().getTime()),
      ]),
    )
    .$if(renewedInvitations.length > 0, (query) =>
      query.where(
        'id',
        'not in',
        renewedInvitations.map(({ id }) => id),
      ),
    )
    .orderBy('sent_at')
    .orderBy('id')
    .limit(Math.min(surplus, maxInvitations))
    .execute()
  if (oldest.length < Math.min(surplus, maxInvitations)) {
    const message = `A domain can have at most ${maxInvitations} open invitations. Revoke some that are no longer needed, then invite again. No one has been invited yet.`
    throw new Problem('unprocessable', { message, fields: { emails: message } })
  }
  const ids = oldest.map(({ id }) => id)
  return [db.deleteFrom('invitations').where('id', 'in', ids)]
}
