import { type SqlBool, sql } from 'kysely'
import type { Domain, DomainMember, MemberRole } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import {
  createDomainNotFoundProblem,
  type DomainAccess,
  type DomainRow,
  lockDomain,
  requireDomainAccess,
  retryOnConflict,
} from '../domain-access.ts'
import { countInvitations } from '../invitations/invitations.ts'
import { toDomain } from '../list-domains.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'

const maxMembers = 1000

/** The owner, then members by name; pending ones show only name and role. @throws Problem 400 for an unknown `after` */
export async function listMembers(
  services: Services,
  person: Person,
  id: string,
  afterUserId?: string | undefined,
): Promise<DomainMember[]> {
  const { domain } = await requireDomainAccess(services, person, id, 'see')
  if (afterUserId !== undefined) {
    const last = await selectMembers(services, domain).where('people.id', '=', afterUserId).executeTakeFirst()
    if (!last) throw badField('after', 'This person is no longer a member. Reload the list.')
    const isAfterLast = sql<SqlBool>`(${memberName}, people.id) > (${last.name ?? ''}, ${last.id})`
    const members = await orderByName(selectMembers(services, domain)).where(isAfterLast).limit(maxMembers).execute()
    return members.map((member) => toDomainMember(member, person))
  }
  const owner = await services.db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('id', '=', domain.owner_id)
    .executeTakeFirstOrThrow()
  const members = await orderByName(selectMembers(services, domain))
    .limit(maxMembers - 1)
    .execute()
  return [
    {
      userId: owner.id,
      name: owner.name,
      email: owner.email,
      role: 'owner',
      addedAt: new Date(domain.created_at).toISOString(),
      agreed: true,
      addedBy: null,
    },
    ...members.map((member) => toDomainMember(member, person)),
  ]
}

/** @throws Problem 404 for people who aren't members of that domain */
async function requireMember(
  services: Services,
  person: Pick<Person, 'id'>,
  domain: DomainRow,
  userId: string,
): Promise<DomainMember> {
  const member = await selectMembers(services, domain).where('people.id', '=', userId).executeTakeFirst()
  if (!member) throw createMemberNotFoundProblem()
  return toDomainMember(member, person)
}

export function createMemberNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'Member not found' })
}

export function createOwnerUnchangeableProblem(): Problem {
  return new Problem('conflict', {
    message: 'The owner can’t be removed or given another role. Transfer the domain to a member first, or delete it.',
  })
}

function selectMembers({ db }: Services, domain: DomainRow) {
  return db
    .selectFrom('domain_members')
    .innerJoin('people', 'people.id', 'domain_members.person_id')
    .leftJoin('people as adder', 'adder.id', 'domain_members.added_by')
    .select(['people.id', 'people.name', 'people.email', 'adder.id as adder_id', 'adder.name as adder_name'])
    .select(['domain_members.role', 'domain_members.added_at', 'domain_members.agreed_at'])
    .where('domain_members.domain_id', '=', domain.id)
}

const memberName = sql<string>`coalesce(${sql.ref('people.name')}, '')`
const orderByName = (members: ReturnType<typeof selectMembers>) => members.orderBy(memberName).orderBy('people.id')

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

function toDomainMember(row: MemberRow, person: Pick<Person, 'id'>): DomainMember {
  const { id, name, email, role, added_at, agreed_at, adder_id, adder_name } = row
  return {
    userId: id,
    name,
    email: agreed_at !== null || id === person.id ? email : null,
    role,
    addedAt: new Date(added_at).toISOString(),
    agreed: agreed_at !== null,
    addedBy: adder_id === null ? null : { id: adder_id, name: adder_name },
  }
}

/** Nothing of the added person is visible until they accept. @throws Problem 404; 409 for a member; 429 above 200 a day */
export async function addMember(
  services: Services,
  person: Person,
  id: string,
  { userId, role }: { userId: string; role: MemberRole },
): Promise<DomainMember> {
  const { db } = services
  return retryOnConflict(async () => {
    const access = await requireDomainAccess(services, person, id, 'manageMembers')
    const candidate = await db
      .selectFrom('people')
      .leftJoin('domain_members', (join) =>
        join.onRef('domain_members.person_id', '=', 'people.id').on('domain_members.domain_id', '=', id),
      )
      .select(['domain_members.role', 'people.deactivated_at', 'people.email_folded'])
      .where('people.id', '=', userId)
      .executeTakeFirst()
    if (!candidate || candidate.deactivated_at !== null) throw new Problem('not-found', { message: 'Person not found' })
    if (candidate.role !== null || userId === access.domain.owner_id) throw createAlreadyMemberProblem()
    await countInvitations(services, person, 1)
    const now = services.now().getTime()
    await db.batch([
      ...lockDomain(services, person, access),
      db
        .updateTable('invitations')
        .set({ accepted_at: now, accepted_by: userId })
        .where('domain_id', '=', id)
        .where('email_folded', '=', candidate.email_folded)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now),
      requireChanges(
        db
          .insertInto('domain_members')
          .columns(['domain_id', 'person_id', 'role', 'added_at', 'added_by', 'agreed_at'])
          .expression(
            db
              .selectFrom('people')
              .select([
                sql.val(id).as('domain_id'),
                'people.id',
                sql<MemberRole>`${role}`.as('role'),
                sql.val(now).as('added_at'),
                sql.val(person.id).as('added_by'),
                sql<null>`null`.as('agreed_at'),
              ])
              .where('people.id', '=', userId)
              .where('people.deactivated_at', 'is', null),
          ),
      ),
      insertAudit(services, { action: 'member-added', actor: person, personId: userId, domainId: id, subject: role }),
    ])
    await publishDomainChanged(services, id)
    return requireMember(services, person, access.domain, userId)
  })
}

function createAlreadyMemberProblem(): Problem {
  const message = 'This person is already in the domain.'
  return new Problem('conflict', { message, fields: { userId: message } })
}

/** @throws Problem 404 for people who aren't members, 403 for one's own role, 409 for the owner's */
export async function changeMember(
  services: Services,
  person: Person,
  { id, userId }: { id: string; userId: string },
  role: MemberRole,
): Promise<DomainMember> {
  return retryOnConflict(async () => {
    const access = await requireDomainAccess(services, person, id, 'manageMembers')
    if (userId === access.domain.owner_id) throw createOwnerUnchangeableProblem()
    if (userId === person.id)
      throw new Problem('forbidden', { message: 'You can’t change your own role. Ask the owner or another admin.' })
    const previousMember = await requireMember(services, person, access.domain, userId)
    if (previousMember.role === role) return previousMember
    await services.db.batch([
      ...lockDomain(services, person, access),
      requireChanges(
        services.db
          .updateTable('domain_members')
          .set({ role })
          .where('domain_id', '=', id)
          .where('person_id', '=', userId)
          .where('role', '=', previousMember.role as MemberRole),
      ),
      insertAudit(services, {
        action: 'member-role-changed',
        actor: person,
        personId: userId,
        domainId: id,
        subject: role,
        details: { from: previousMember.role, to: role },
      }),
    ])
    await publishDomainChanged(services, id)
    return { ...previousMember, role }
  })
}

/** Also removes everything the member shared in this domain. @throws Problem 404 for people who aren't members, 409 for the owner */
export async function removeMember(
  services: Services,
  person: Person,
  { id, userId }: { id: string; userId: string },
): Promise<null> {
  const { db } = services
  return retryOnConflict(async () => {
    const visibleAccess = await requireDomainAccess(services, person, id, 'see')
    const isOwner = userId === visibleAccess.domain.owner_id
    const isLeaving = userId === person.id && !isOwner
    const access = await requireDomainAccess(services, person, id, isLeaving ? 'leave' : 'manageMembers')
    if (isOwner) throw createOwnerUnchangeableProblem()
    const member = await requireMember(services, person, access.domain, userId)
    await db.batch([
      ...lockDomain(services, person, access),
      requireChanges(db.deleteFrom('domain_members').where('domain_id', '=', id).where('person_id', '=', userId)),
      db.deleteFrom('domain_keepers').where('domain_id', '=', id).where('owner_id', '=', userId),
      db.deleteFrom('domain_journeys').where('domain_id', '=', id).where('owner_id', '=', userId),
      db.deleteFrom('domain_boards').where('domain_id', '=', id).where('owner_id', '=', userId),
      insertAudit(services, {
        action: isLeaving ? 'member-left' : 'member-removed',
        actor: person,
        personId: userId,
        domainId: id,
        subject: member.role,
      }),
    ])
    await publishDomainChanged(services, id, [userId])
    return null
  })
}

/** Writes for a batch after `lockDomain`; sharing something in a domain accepts the membership implicitly. */
export function acceptMembership(
  services: Services,
  person: Pick<Person, 'id'>,
  { domain, role, agreed }: DomainAccess,
): Write[] {
  if (agreed) return []
  return [
    requireChanges(
      services.db
        .updateTable('domain_members')
        .set({ agreed_at: services.now().getTime() })
        .where('domain_id', '=', domain.id)
        .where('person_id', '=', person.id)
        .where('agreed_at', 'is', null),
    ),
    insertAudit(services, {
      action: 'member-agreed',
      actor: person,
      personId: person.id,
      domainId: domain.id,
      subject: role,
    }),
  ]
}

/** Idempotent. @throws Problem 404 for people who aren't members */
export async function acceptOwnMembership(services: Services, person: Person, id: string): Promise<Domain> {
  return retryOnConflict(async () => {
    const access = await requireDomainAccess(services, person, id, 'see')
    if (access.role === null) throw createDomainNotFoundProblem()
    if (!access.agreed) {
      await services.db.batch([...lockDomain(services, person, access), ...acceptMembership(services, person, access)])
      await publishDomainChanged(services, id)
    }
    return toDomain(access.domain, access.role)
  })
}
