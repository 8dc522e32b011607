import { queryOptions } from '@tanstack/react-query'
import { agents } from '#contract/agents/agents.ts'
import { boards } from '#contract/boards/boards.ts'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { agentsKey } from '#web/agents/agent-queries.ts'
import { call } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { readJourneyDetails } from '#web/keepers/journeys/journey-queries.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { boardsKey } from '../board-queries.ts'

/* Query keys nest under those of each area, so that live changes also refresh frames. */

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: [...agentsKey, 'one', id],
    queryFn: ({ signal }) => call(agents.byId, { query: { id }, signal }),
  })

export const keeperQuery = (id: string) =>
  queryOptions({
    queryKey: [...keepersKey, 'in-frame', 'keeper', id],
    queryFn: ({ signal }) => call(keepers.show, { params: { id }, signal }),
  })

export const momentQuery = (id: string) =>
  queryOptions({
    queryKey: [...keepersKey, 'in-frame', 'moment', id],
    queryFn: ({ signal }) => call(moments.show, { params: { id }, signal }),
  })

export const journeyQuery = (id: string) =>
  queryOptions({
    queryKey: [...keepersKey, 'in-frame', 'journey', id],
    queryFn: ({ signal }) => readJourneyDetails(id, signal),
  })

/** Separate from the open board's key, whose cache entry belongs to an editor. */
export const frameBoardQuery = (id: string) =>
  queryOptions({
    queryKey: [...boardsKey, 'in-frame', id],
    queryFn: ({ signal }) => call(boards.show, { params: { id }, signal }),
  })

export const journeyListQuery = (keeperId: string) =>
  queryOptions({
    queryKey: [...keepersKey, 'in-frame', 'journeys', keeperId],
    queryFn: ({ signal }) => readAllPages<Journey>(journeys.list, { id: keeperId }, signal),
  })

export const momentSearchQuery = (keeperId: string, q: string) =>
  queryOptions({
    queryKey: [...keepersKey, 'in-frame', 'moments', keeperId, q],
    queryFn: async ({ signal }) => {
      const query = { limit: 50, ...(q.trim() && { q: q.trim() }) }
      return (await call(moments.list, { params: { id: keeperId }, query, signal })).items
    },
  })
