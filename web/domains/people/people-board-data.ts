import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import type { AuditEvent } from '#contract/administration/audit.ts'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import type { Invitation } from '#contract/domains/invitations.ts'
import { type DomainPeople, type DomainPerson, people, peopleFilters } from '#contract/domains/people.ts'
import { call, getServerMessage } from '#web/api/api.ts'

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

export function toBoardDomain(domain: Domain): PeopleBoardDomain {
  const role = getOwnRole(domain) ?? null
  return { id: domain.id, name: domain.name, role, canManage: canActInDomain(role, 'manageMembers') }
}

export function filterPeople(allPeople: readonly DomainPerson[], filter: PeopleFilter): DomainPerson[] {
  return filter === 'all' ? [...allPeople] : allPeople.filter(({ status }) => status === filter)
}

/** Finds by row ID, or by user ID in the first domain of that user. */
export function findPerson(allPeople: readonly DomainPerson[], searchedId: string | null): DomainPerson | undefined {
  if (searchedId === null) return undefined
  return allPeople.find(({ id }) => id === searchedId) ?? allPeople.find(({ userId }) => userId === searchedId)
}

export const peopleBoardViews = ['canvas', 'wizard', 'overview', 'roles', 'network', 'activity', 'workflow'] as const
export type PeopleBoardView = (typeof peopleBoardViews)[number]
export type PeopleFilter = (typeof peopleFilters)[number]

export const getPeopleBoardPath = (domainId: string, personId?: string) =>
  `/studio/people-board?domainId=${encodeURIComponent(domainId)}${personId ? `&personId=${encodeURIComponent(personId)}` : ''}`

export interface PeopleBoardRoute {
  view: PeopleBoardView
  filter: PeopleFilter
  domainId: string | null
  personId: string | null
}

export function usePeopleBoardRoute() {
  const [params, setParams] = useSearchParams()
  const view = peopleBoardViews.find((item) => item === params.get('view')) ?? 'canvas'
  const filter = peopleFilters.find((item) => item === params.get('status')) ?? 'all'
  const route: PeopleBoardRoute = {
    view,
    filter,
    domainId: params.get('domainId') || null,
    personId: params.get('personId') || null,
  }
  const updateRoute = useCallback(
    (change: Partial<PeopleBoardRoute>) =>
      setParams((previous) => {
        const next = new URLSearchParams(previous)
        const names = { view: 'view', filter: 'status', domainId: 'domainId', personId: 'personId' } as const
        for (const [name, value] of Object.entries(change)) {
          const storedValue = value === null || value === 'all' || value === 'canvas' ? null : value
          const parameter = names[name as keyof PeopleBoardRoute]
          if (storedValue) next.set(parameter, storedValue)
          else next.delete(parameter)
        }
        return next
      }),
    [setParams],
  )
  return { ...route, updateRoute }
}

export const getPeopleErrorDetail = (reason: unknown): string =>
  getServerMessage(reason) ?? 'The server didn’t respond.'
