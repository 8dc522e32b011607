import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { peopleFilters } from '#contract/domains/people.ts'

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
  return { ...route, updateRoute: updateRoute }
}
