import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
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

/** The key nests under that of its area, so that live changes also refresh frames. */
const createQuery = <Data>(queryKey: readonly string[], load: (signal: AbortSignal) => Promise<Data>) =>
  queryOptions({ queryKey, queryFn: ({ signal }: QueryFunctionContext) => load(signal) })

export type EntityQuery<Data> = ReturnType<typeof createQuery<Data>>

export const agentQuery = (id: string) =>
  createQuery([...agentsKey, 'one', id], (signal) => call(agents.byId, { query: { id }, signal }))

const inFrameKey = [...keepersKey, 'in-frame'] as const

export const keeperQuery = (id: string) =>
  createQuery([...inFrameKey, 'keeper', id], (signal) => call(keepers.show, { params: { id }, signal }))

export const momentQuery = (id: string) =>
  createQuery([...inFrameKey, 'moment', id], (signal) => call(moments.show, { params: { id }, signal }))

export const journeyQuery = (id: string) =>
  createQuery([...inFrameKey, 'journey', id], (signal) => readJourneyDetails(id, signal))

/** Separate from the open board's key, whose cache entry belongs to an editor. */
export const frameBoardQuery = (id: string) =>
  createQuery([...boardsKey, 'in-frame', id], (signal) => call(boards.show, { params: { id }, signal }))

export const journeyListQuery = (keeperId: string) =>
  createQuery([...inFrameKey, 'journeys', keeperId], (signal) =>
    readAllPages<Journey>(journeys.list, { id: keeperId }, signal),
  )

export const momentSearchQuery = (keeperId: string, q: string) =>
  createQuery([...inFrameKey, 'moments', keeperId, q], async (signal) => {
    const query = { limit: 50, q: q.trim() || undefined }
    return (await call(moments.list, { params: { id: keeperId }, query, signal })).items
  })
