import type { AuditEvent } from '#contract/administration/audit.ts'
import { type DomainRole, mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Domain } from '#contract/domains/domains.ts'
import type { Invitation } from '#contract/domains/invitations.ts'
import { type DomainPerson, type PeopleOfDomains, people } from '#contract/domains/people.ts'
import { call } from '#web/api.ts'
import type { PeopleFilter } from './board-address.ts'

export interface BoardDomain {
  id: string
  name: string
  role: DomainRole | null
  mayManage: boolean
}

export interface Board extends PeopleOfDomains {
  domains: readonly BoardDomain[]
  /** Set for the read-only sample, which makes no requests. */
  samples?: { activity: readonly AuditEvent[]; invitations: readonly Invitation[] }
}

export const peopleQuery = (domainId: string | null) => ({
  queryKey: ['people', 'list', domainId],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(people.list, { query: domainId ? { domainId } : {}, signal }),
})

export function boardDomain({ id, name, permissions }: Domain): BoardDomain {
  const role = permissions[0]?.role ?? null
  return { id, name, role, mayManage: role !== null && mayInDomain(role, 'manageMembers') }
}

export function shownPeople(all: readonly DomainPerson[], filter: PeopleFilter): DomainPerson[] {
  return filter === 'all' ? [...all] : all.filter(({ status }) => status === filter)
}

/** Finds by row ID, or by user ID in the first domain of that user. */
export function personOf(all: readonly DomainPerson[], wanted: string | null): DomainPerson | undefined {
  if (wanted === null) return undefined
  return all.find(({ id }) => id === wanted) ?? all.find(({ userId }) => userId === wanted)
}
