import { sql } from 'kysely'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import {
  type Invitation,
  type InvitationWithLink,
  invitationDays,
  type invitations,
} from '#contract/domains/invitations.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Email } from '#server/accounts/mailer.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import { countAttempts, readAttempts, requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'
import { hashToken } from '#server/values/token.ts'
import { type DomainAccess, requireDomainAccess } from '../domain-access.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { emailInvitations, formatEmail } from './email-invitations.ts'

export function selectInvitations({ db }: Services) {
  return db
    .selectFrom('invitations')
    .innerJoin('domains', 'domains.id', 'invitations.domain_id')
    .leftJoin('people as sender', 'sender.id', 'invitations.invited_by')
    .leftJoin('people as acceptor', 'acceptor.id', 'invitations.accepted_by')
    .leftJoin('domain_members as sender_membership', (join) =>
      join
        .onRef('sender_membership.domain_id', '=', 'invitations.domain_id')
        .onRef('sender_membership.person_id', '=', 'invitations.invited_by'),
    )
    .selectAll('invitations')
    .select([
      'domains.name as domain_name',
      'domains.description as domain_description',
      'domains.owner_id',
      'sender.name as sender_name',
      'sender.deactivated_at as sender_deactivated_at',
      'sender_membership.role as sender_role',
      'acceptor.name as acceptor_name',
      'acceptor.email_folded as acceptor_email_folded',
    ])
}
export type InvitationRow = Awaited<ReturnType<ReturnType<typeof selectInvitations>['executeTakeFirstOrThrow']>>

function getInvitationState(services: Services, row: InvitationRow): Invitation['state'] {
  if (row.accepted_at !== null) return 'accepted'
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= services.now().getTime()) return 'expired'
  const role = row.owner_id === row.invited_by ? 'owner' : row.sender_role
  const canInvite = row.sender_deactivated_at === null && canActInDomain(role, 'manageMembers')
  return canInvite ? 'open' : 'stopped'
}

export function toInvitation(services: Services, row: InvitationRow): Invitation {
  return {
    id: row.id,
    domainId: row.domain_id,
    email: row.email,
    role: row.role,
    note: row.note,
    state: getInvitationState(services, row),
    createdAt: new Date(row.created_at).toISOString(),
    sentAt: new Date(row.sent_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    acceptedAt: toIsoTimeOrNull(row.accepted_at),
    invitedBy: row.invited_by === null ? null : { id: row.invited_by, name: row.sender_name },
    acceptedBy: row.accepted_by === null ? null : { id: row.accepted_by, name: row.acceptor_name },
  }
}

export const invitationLifetimeMs = invitationDays * dayMs

export function deriveInvitationLink(
  services: Services,
  { id, sent_at }: { id: string; sent_at: number },
): { link: string; hash: string } {
  const token = `kpi_${services.sealer.derive('invitation', `invitation|${id}|${sent_at}`)}`
  return { link: `${getPublicUrl(services)}/register?invitation=${token}`, hash: hashToken(token) }
}

const dailyThrottle = { kind: 'invitations', limit: 200, windowMs: dayMs }

/** Counts against a person's daily limit. @throws Problem `too-many`, without counting any */
export async function countInvitations(services: Services, person: Pick<Person, 'id'>, count: number): Promise<void> {
  const { count: usedCount, waitSeconds } = await readAttempts(services, dailyThrottle, person.id)
  const remaining = Math.max(0, dailyThrottle.limit - usedCount)
  const isWithinLimit =
    count <= remaining && (await countAttempts(services, dailyThrottle, person.id, count)).isWithinLimit
  if (isWithinLimit) return
  throw new Problem('too-many', {
    message: `You can invite or add ${dailyThrottle.limit} people a day, and you have ${remaining} left today.`,
    retryAfterSeconds: waitSeconds,
  })
}

/** @throws Problem as {@link requireDomainAccess}, and 404 for another domain's invitation */
async function requireInvitation(
  services: Services,
  person: Pick<Person, 'id' | 'permissions'>,
  { id, invitationId }: { id: string; invitationId: string },
): Promise<DomainAccess & { invitation: InvitationRow }> {
  const access = await requireDomainAccess(services, person, id, 'manageMembers')
  const invitation = await selectInvitations(services)
    .where('invitations.id', '=', invitationId)
    .where('invitations.domain_id', '=', id)
    .executeTakeFirst()
  if (!invitation) throw new Problem('not-found', { message: 'Invitation not found' })
  return { ...access, invitation }
}

function createClosedInvitationProblem(state: 'accepted' | 'revoked'): Problem {
  return new Problem('conflict', {
    message:
      state === 'accepted'
        ? 'This invitation has already been accepted.'
        : 'This invitation was revoked. Invite the person again to create a new one.',
  })
}

export function findInvitation(services: Services, token: string): Promise<InvitationRow | undefined> {
  return selectInvitations(services).where('invitations.token_hash', '=', hashToken(token)).executeTakeFirst()
}

/** @throws Problem `invitation-refused`, alike for used, revoked, expired, stopped and unknown invitations */
export function requireOpenRow(services: Services, row: InvitationRow | undefined): InvitationRow {
  if (!row || getInvitationState(services, row) !== 'open') throw new Problem('invitation-refused')
  return row
}

/** @throws Problem as {@link requireOpenRow} */
export async function requireOpenInvitation(services: Services, token: string): Promise<InvitationRow> {
  return requireOpenRow(services, await findInvitation(services, token))
}

/** Open invitations first, then by time sent, latest first. @throws Problem 400 for an invalid cursor */
export async function listInvitations(
  services: Services,
  person: Person,
  domainId: string,
  cursor?: string,
): Promise<Reply<Invitation[]>> {
  await requireDomainAccess(services, person, domainId, 'manageMembers')
  const now = services.now().getTime()
  const isWaiting = sql<number>`case when invitations.accepted_at is null and invitations.revoked_at is null
    and invitations.expires_at > ${now} then 1 else 0 end`
  const { rows, next_cursor } = await readPage(
    selectInvitations(services).select(isWaiting.as('waits')).where('invitations.domain_id', '=', domainId),
    {
      order: [
        [isWaiting, 'desc'],
        [sql.ref('invitations.sent_at'), 'desc'],
        [sql.ref('invitations.id'), 'asc'],
      ],
      after: parseCursor(cursor, ['number', 'number', 'string']),
      getPosition: (row) => [row.waits, row.sent_at, row.id],
    },
  )
  return new Reply(
    rows.map((row) => toInvitation(services, row)),
    { extra: { next_cursor } },
  )
}

const previewThrottle = { kind: 'invitation-look', limit: 100, windowMs: 15 * 60 * 1000 }

export async function previewInvitation(
  services: Services,
  token: string,
  address: string,
): Promise<EndpointOutput<typeof invitations.look>> {
  await requireAttempt(services, previewThrottle, address)
  const row = await requireOpenInvitation(services, token)
  return {
    domain: { id: row.domain_id, name: row.domain_name, description: row.domain_description },
    invitedBy: row.sender_name,
    email: row.email,
    role: row.role,
    note: row.note,
    expiresAt: new Date(row.expires_at).toISOString(),
  }
}

/** The link of an open invitation. After a secret rotation it still works, but can't be shown. */
export async function showInvitationLink(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<{ link: string }> {
  const { invitation } = await requireInvitation(services, person, params)
  const state = getInvitationState(services, invitation)
  if (state === 'accepted' || state === 'revoked') throw createClosedInvitationProblem(state)
  if (state !== 'open')
    throw new Problem('conflict', { message: `${closedReasons[state]} Resend the invitation for a new link.` })
  const { link, hash } = deriveInvitationLink(services, invitation)
  if (hash === invitation.token_hash) return { link }
  throw new Problem('conflict', {
    message:
      'This link was created before the server’s secret changed, so it can’t be shown again. It still works for anyone who has it. Resend the invitation for a new link.',
  })
}

/** `null` for an invitation that was accepted, revoked or stopped, or whose link can no longer be derived. */
export async function writeInvitationEmail(services: Services, invitationId: string): Promise<Email | null> {
  const row = await selectInvitations(services).where('invitations.id', '=', invitationId).executeTakeFirst()
  if (!row || getInvitationState(services, row) !== 'open') return null
  const { link, hash } = deriveInvitationLink(services, row)
  if (hash !== row.token_hash) return null
  const { email: to, sender_name: from, domain_name: domain, role, note } = row
  return formatEmail({ to, from, domain, role, note, link })
}

const closedReasons = {
  expired: 'This invitation has expired.',
  stopped: 'The sender can no longer manage members.',
}

export async function resendInvitation(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<InvitationWithLink> {
  const { domain, invitation } = await requireInvitation(services, person, params)
  if (invitation.accepted_at !== null) throw createClosedInvitationProblem('accepted')
  if (invitation.revoked_at !== null) throw createClosedInvitationProblem('revoked')
  await countInvitations(services, person, 1)
  const { id, role } = invitation
  const now = services.now().getTime()
  // Must differ from the previous time even within a millisecond, or the link would be the same.
  const sent_at = Math.max(now, invitation.sent_at + 1)
  const { link, hash } = deriveInvitationLink(services, { id, sent_at })
  const isSaved = await services.db.batchUnlessChanged([
    requireChanges(
      services.db
        .updateTable('invitations')
        .set({ sent_at, expires_at: now + invitationLifetimeMs, token_hash: hash, invited_by: person.id })
        .where('id', '=', id)
        .where('sent_at', '=', invitation.sent_at)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null),
    ),
    insertAudit(services, { action: 'invitation-resent', actor: person, domainId: domain.id, subject: role }),
  ])
  if (!isSaved)
    throw new Problem('conflict', {
      message: 'This invitation was just accepted, revoked or sent again. Reload and try again.',
    })
  await publishDomainChanged(services, domain.id)
  const email = {
    invitationId: id,
    invitedBy: person.id,
    to: invitation.email,
    from: person.name,
    domain: domain.name,
    role,
    link,
  }
  const emailedIds = await emailInvitations(services, [{ ...email, note: invitation.note }])
  const row = await selectInvitations(services).where('invitations.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Invitation not found' })
  return { ...toInvitation(services, row), link, mailed: emailedIds.has(id) }
}

export async function revokeInvitation(
  services: Services,
  person: Person,
  params: { id: string; invitationId: string },
): Promise<Invitation> {
  const { invitation } = await requireInvitation(services, person, params)
  if (invitation.accepted_at !== null) throw createClosedInvitationProblem('accepted')
  if (invitation.revoked_at !== null) return toInvitation(services, invitation)
  const revoked_at = services.now().getTime()
  const { id: domainId } = params
  const isSaved = await services.db.batchUnlessChanged([
    requireChanges(
      services.db
        .updateTable('invitations')
        .set({ revoked_at })
        .where('id', '=', invitation.id)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null),
    ),
    insertAudit(services, { action: 'invitation-revoked', actor: person, domainId, subject: invitation.role }),
  ])
  if (!isSaved) return revokeInvitation(services, person, params)
  await publishDomainChanged(services, domainId)
  return toInvitation(services, { ...invitation, revoked_at })
}
