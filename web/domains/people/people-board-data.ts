import type { AuditEvent } from '#contract/administration/audit.ts'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { Invitation } from '#contract/domains/invitations.ts'
import { type DomainPeople, type DomainPerson, people } from '#contract/domains/people.ts'
import { call } from '#web/api/api.ts'
import type { PeopleFilter } from './board-route.ts'

export interface PeopleBoardDomain {
  id: string
  name: string
  role: DomainRole | null
  canManage: boolean
}

export interface PeopleBoardData extends DomainPeople {
  domains: readonly PeopleBoardDomain[]
  /** Set for the read-only sample, which makes no requests. */
  samples?: { activity: readonly AuditEvent[]; invitations: readonly Invitation[] }
}

export const peopleQuery = (domainId: string | null) => ({
  queryKey: ['people', 'list', domainId],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(people.list, { query: domainId ? { domainId } : {}, signal }),
})

export function toBoardDomain({ id, name, permissions }: Domain): PeopleBoardDomain {
  const role = permissions[0]?.role ?? null
  return { id, name, role, canManage: role !== null && canActInDomain(role, 'manageMembers') }
}

export function filterPeople(allPeople: readonly DomainPerson[], filter: PeopleFilter): DomainPerson[] {
  return filter === 'all' ? [...allPeople] : allPeople.filter(({ status }) => status === filter)
}

/** Finds by row ID, or by user ID in the first domain of that user. */
export function findPerson(allPeople: readonly DomainPerson[], searchedId: string | null): DomainPerson | undefined {
  if (searchedId === null) return undefined
  return allPeople.find(({ id }) => id === searchedId) ?? allPeople.find(({ userId }) => userId === searchedId)
}
