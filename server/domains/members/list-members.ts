import type { DomainMember } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, requireDomainTo } from '../domain-access.ts'

/** The owner first, then the members by name. */
export async function listMembers(services: Services, person: Person, id: string): Promise<DomainMember[]> {
  const { domain } = await requireDomainTo(services, person, id, 'see')
  const owner = await services.db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('id', '=', domain.owner_id)
    .executeTakeFirstOrThrow()
  const members = await selectMembers(services, domain).orderBy('people.name').orderBy('people.id').execute()
  return [
    {
      userId: owner.id,
      name: owner.name,
      email: owner.email,
      role: 'owner',
      addedAt: new Date(domain.created_at).toISOString(),
    },
    ...members.map(memberView),
  ]
}

/** @throws Problem 404 for who is no member of that domain, whatever else they are */
export async function requireMember(services: Services, domain: DomainRow, userId: string): Promise<DomainMember> {
  const member = await selectMembers(services, domain).where('people.id', '=', userId).executeTakeFirst()
  if (!member) throw memberNotFound()
  return memberView(member)
}

export function memberNotFound(): Problem {
  return new Problem('not-found', { message: 'Member not found' })
}

/** The row of the owner cannot be changed or removed. */
export function ownerStays(): Problem {
  return new Problem('conflict', {
    message: 'The owner of a domain stays in it as its owner. Hand the domain to a member first, or delete it.',
  })
}

function selectMembers({ db }: Services, domain: DomainRow) {
  return db
    .selectFrom('domain_members')
    .innerJoin('people', 'people.id', 'domain_members.person_id')
    .select(['people.id', 'people.name', 'people.email', 'domain_members.role', 'domain_members.added_at'])
    .where('domain_members.domain_id', '=', domain.id)
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['execute']>>[number]

function memberView({ id, name, email, role, added_at }: MemberRow): DomainMember {
  return { userId: id, name, email, role, addedAt: new Date(added_at).toISOString() }
}
