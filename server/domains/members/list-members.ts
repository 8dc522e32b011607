import { type SqlBool, sql } from 'kysely'
import type { DomainMember } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, requireDomainTo } from '../domain-access.ts'

const maxMembers = 1000

/** The owner, then members by name; pending ones show only name and role. @throws Problem 400 for an unknown `after` */
export async function listMembers(
  services: Services,
  person: Person,
  id: string,
  afterUserId?: string | undefined,
): Promise<DomainMember[]> {
  const { domain } = await requireDomainTo(services, person, id, 'see')
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
export async function requireMember(
  services: Services,
  person: Pick<Person, 'id'>,
  domain: DomainRow,
  userId: string,
): Promise<DomainMember> {
  const member = await selectMembers(services, domain).where('people.id', '=', userId).executeTakeFirst()
  if (!member) throw domainMemberNotFound()
  return toDomainMember(member, person)
}

export function domainMemberNotFound(): Problem {
  return new Problem('not-found', { message: 'Member not found' })
}

export function ownerCannotChange(): Problem {
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
