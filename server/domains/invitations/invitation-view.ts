import { canActInDomain } from '#contract/domains/domain-actions.ts'
import type { Invitation } from '#contract/domains/invitations.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'

export function selectInvitations({ db }: Services) {
  return db
    .selectFrom('invitations')
    .innerJoin('domains', 'domains.id', 'invitations.domain_id')
    .leftJoin('people as sender', 'sender.id', 'invitations.invited_by')
    .leftJoin('people as comer', 'comer.id', 'invitations.accepted_by')
    .leftJoin('domain_members as standing', (join) =>
      join
        .onRef('standing.domain_id', '=', 'invitations.domain_id')
        .onRef('standing.person_id', '=', 'invitations.invited_by'),
    )
    .selectAll('invitations')
    .select([
      'domains.name as domain_name',
      'domains.description as domain_description',
      'domains.owner_id',
      'sender.name as sender_name',
      'sender.deactivated_at as sender_deactivated_at',
      'standing.role as sender_role',
      'comer.name as comer_name',
      'comer.email_folded as comer_email_folded',
    ])
}
export type InvitationRow = Awaited<ReturnType<ReturnType<typeof selectInvitations>['executeTakeFirstOrThrow']>>

export function getInvitationState(services: Services, row: InvitationRow): Invitation['state'] {
  if (row.accepted_at !== null) return 'accepted'
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= services.now().getTime()) return 'expired'
  const role = row.owner_id === row.invited_by ? 'owner' : row.sender_role
  const mayInvite = role !== null && row.sender_deactivated_at === null && canActInDomain(role, 'manageMembers')
  return mayInvite ? 'open' : 'stopped'
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
    acceptedBy: row.accepted_by === null ? null : { id: row.accepted_by, name: row.comer_name },
  }
}
