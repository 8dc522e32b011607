import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'
import { echo } from './echoes.ts'
import { defineEntityEndpoint } from './entity-endpoint.ts'
import { cursorQuery, day, entities, timeZone } from './keeper-fields.ts'
import { moment } from './moments.ts'
import { reflection } from './reflections.ts'
import { soleVersion } from './sole.ts'

export const keeperEvent = z.object({
  id: z.string(),
  entity: z.enum([...entities, 'sole']),
  entityId: z.string(),
  keeperId: z.string(),
  keeperTitle: displayLine,
  what: z.enum(['written', 'kept', 'submitted', 'approved', 'rejected', 'delivered', 'ready', 'completed', 'imported']),
  at: z.string(),
})
export type KeeperEvent = z.infer<typeof keeperEvent>

export const dashboard = z.object({
  counts: z.object({
    moments: z.number(),
    journeys: z.number(),
    paths: z.number(),
    reflections: z.number(),
    cards: z.number(),
    cardsEmbedded: z.number(),
    voice: z.number(),
    echoesReady: z.number(),
    logbook: z.number(),
    topics: z.number(),
    sources: z.number(),
  }),
  today: z.object({ date: z.string(), promptId: z.string(), prompt: z.string(), moments: z.array(moment) }),
  onThisDay: z.array(moment),
  /** Days in a row with a moment or reflection; one missed day in seven is skipped. `days`: the last 42, oldest first. */
  streak: z.object({
    current: z.number(),
    longest: z.number(),
    graceUsed: z.boolean(),
    days: z.array(z.object({ date: z.string(), count: z.number(), kept: z.boolean(), mood: z.nullable(z.number()) })),
  }),
  echoesReady: z.array(echo),
  pendingSole: z.nullable(soleVersion),
  activeSole: z.nullable(soleVersion),
  suggestions: z.array(reflection),
  recent: z.array(keeperEvent),
})
export type Dashboard = z.infer<typeof dashboard>

export const dashboards = {
  show: defineEntityEndpoint('GET /api/keeper/keepers/:id/dashboard', {
    summary: 'Get a keeper’s dashboard for today: new entries, memories of this day and pending decisions',
    query: z.object({ date: z.optional(day), timezone: z.optional(timeZone) }),
    response: dashboard,
  }),
  events: defineEndpoint('GET /api/keeper/events', {
    summary: 'List recent events in your keepers, newest first',
    access: 'person',
    query: z.object({ limit: cursorQuery.limit }),
    response: z.array(keeperEvent),
  }),
}
