import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { peopleFilters } from '#contract/domains/people.ts'

export const boardViews = ['canvas', 'wizard', 'overview', 'roles', 'network', 'activity', 'workflow'] as const
export type BoardView = (typeof boardViews)[number]
export type PeopleFilter = (typeof peopleFilters)[number]

/** Shows the built-in sample people. */
export const samplesId = 'demo-people'

export interface BoardAddress {
  view: BoardView
  filter: PeopleFilter
  domainId: string | null
  personId: string | null
}

/** Keeps the state of the board in the URL. */
export function useBoardAddress() {
  const [params, setParams] = useSearchParams()
  const view = boardViews.find((each) => each === params.get('view')) ?? 'canvas'
  const filter = peopleFilters.find((each) => each === params.get('status')) ?? 'all'
  const address: BoardAddress = {
    view,
    filter,
    domainId: params.get('domainId') || null,
    personId: params.get('personId') || null,
  }
  const go = useCallback(
    (change: Partial<BoardAddress>) =>
      setParams((before) => {
        const after = new URLSearchParams(before)
        const names = { view: 'view', filter: 'status', domainId: 'domainId', personId: 'personId' } as const
        for (const [name, value] of Object.entries(change)) {
          const written = value === null || value === 'all' || value === 'canvas' ? null : value
          const parameter = names[name as keyof BoardAddress]
          if (written) after.set(parameter, written)
          else after.delete(parameter)
        }
        return after
      }),
    [setParams],
  )
  return { ...address, go }
}
