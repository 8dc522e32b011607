import { domainActions, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import type { invitations } from '#contract/domains/invitations.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { ForeignKeyViolation, UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { findInvitation, type InvitationRow, requireOpenRow } from './invitations.ts'

/** Adds a member, raises a role or accepts a pending membership; without a gain the invitation stays open. Idempotent. */
export async function acceptInvitation(
  services: Services,
  person: Person,
  token: string,
): Promise<EndpointOutput<typeof invitations.accept>> {
  const matchedInvitation = await findInvitation(services, token)
  const earlierResult = await findEarlierAcceptance(services, person, matchedInvitation)
  if (earlierResult) return earlierResult
  const invitation = requireOpenRow(services, matchedInvitation)
  const { domain_id: domainId, role: invitedRole } = invitation
  if (invitation.owner_id === person.id)
    throw new Problem('conflict', { message: 'You own this domain. Send the link to the person you invited.' })
  const member = await services.db
    .selectFrom('domain_members')
    .select('role')
    .where('domain_id', '=', domainId)
    .where('person_id', '=', person.id)
    .executeTakeFirst()
  const role = member && !listRolesBelow(invitedRole).includes(member.role) ? member.role : invitedRole
  const isAddressee = person.email.toLowerCase() === invitation.email_folded
  const findConcurrentAcceptance = async () =>
    findEarlierAcceptance(services, person, await findInvitation(services, token))
  if (member && role === member.role && !isAddressee) {
    const concurrentResult = await findConcurrentAcceptance()
    if (concurrentResult) return concurrentResult
    throw new Problem('conflict', {
      message: `You’re already a member, as ${roleNamesInSentence[member.role]}. The invitation stays open for the person it was sent to.`,
    })
  }
  try {
    await services.db.batch(buildAcceptWrites(services, person, invitation))
  } catch (error) {
    if (!(error instanceof UnexpectedChanges || error instanceof ForeignKeyViolation)) throw error
    const concurrentResult = await findConcurrentAcceptance()
    if (concurrentResult) return concurrentResult
    throw new Problem('invitation-refused')
  }
  await publishDomainChanged(services, domainId)
  return { domainId, role }
}

async function findEarlierAcceptance(
  { db }: Services,
  person: Pick<Person, 'id'>,
  invitation: InvitationRow | undefined,
): Promise<EndpointOutput<typeof invitations.accept> | undefined> {
  if (invitation?.accepted_by !== person.id) return undefined
  const member = await db
    .selectFrom('domain_members')
    .select(['domain_id as domainId', 'role'])
    .where('domain_id', '=', invitation.domain_id)
    .where('person_id', '=', person.id)
    .where('agreed_at', 'is not', null)
    .executeTakeFirst()
  return member
}

/** Writes that close an invitation and add the member. They fail with UnexpectedChanges if it is no longer open. */
export function buildAcceptWrites(
  services: Services,
  person: { id: string },
  { id, domain_id: domainId, token_hash, invited_by, role }: InvitationRow,
): Write[] {
  const { db } = services
  const now = services.now().getTime()
  const managerRoles = domainActions.manageMembers.filter((managerRole) => managerRole !== 'owner')
  const inviterStillManages = db
    .selectFrom('domains')
    .innerJoin('people', (join) => join.on('people.id', '=', invited_by))
    .leftJoin('domain_members', (join) =>
      join
        .onRef('domain_members.domain_id', '=', 'domains.id')
        .onRef('domain_members.person_id', '=', 'people.id')
        .on('domain_members.role', 'in', managerRoles),
    )
    .select('domains.id')
    .where('domains.id', '=', domainId)
    .where('people.deactivated_at', 'is', null)
    .where((where) =>
      where.or([
        where('domains.owner_id', '=', where.ref('people.id')),
        where('domain_members.person_id', 'is not', null),
      ]),
    )
  return [
    // Locks the domain; without it, a concurrent transfer could make the new owner a member, too.
    requireChanges(
      db
        .updateTable('domains')
        .set((domain) => ({ owner_id: domain.ref('owner_id') }))
        .where('id', '=', domainId)
        .where('owner_id', '!=', person.id),
    ),
    requireChanges(
      db
        .updateTable('invitations')
        .set({ accepted_at: now, accepted_by: person.id })
        .where('id', '=', id)
        .where('token_hash', '=', token_hash)
        .where('invited_by', '=', invited_by)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .where(({ exists }) => exists(inviterStillManages)),
    ),
    db
      .insertInto('domain_members')
      .values({ domain_id: domainId, person_id: person.id, role, added_at: now, added_by: invited_by, agreed_at: now })
      .onConflict((conflict) => {
        const lesserRoles = listRolesBelow(role)
        return conflict.columns(['domain_id', 'person_id']).doUpdateSet((eb) => ({
          // PostgreSQL rejects an empty list.
          ...(lesserRoles.length > 0 && {
            role: eb
              .case()
              .when('domain_members.role', 'in', lesserRoles)
              .then(role)
              .else(eb.ref('domain_members.role'))
              .end(),
          }),
          agreed_at: eb.fn.coalesce('domain_members.agreed_at', eb.val(now)),
        }))
      }),
    insertAudit(services, {
      action: 'invitation-accepted',
      actor: person,
      personId: person.id,
      domainId,
      subject: role,
    }),
  ]
}

function listRolesBelow(role: MemberRole): MemberRole[] {
  return memberRoles.slice(memberRoles.indexOf(role) + 1)
}
