import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import { entities, id, pagedQuery } from './keeper-words.ts'

/** How long something lies in the bin before it is gone. */
export const keptInBinMs = 30 * 24 * 60 * 60 * 1000

/** Something in the bin. */
export const binned = z.object({
  entity: z.enum(entities),
  id: z.string(),
  keeperId: z.string(),
  title: shownLine,
  deletedAt: z.string(),
  goneAt: z.string(),
})
export type Binned = z.infer<typeof binned>

/** An earlier state of something written. */
export const earlier = z.object({
  rev: z.number(),
  /** When it was replaced. */
  savedAt: z.string(),
  /** The fields as they were, under the wire's names. */
  snapshot: z.record(z.string(), z.unknown()),
})

/** Somebody's agent had this before it. */
export const memoryRead = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: shownLine,
  runId: z.string(),
  purpose: z.string(),
  at: z.string(),
})

const entry = z.object({ entity: z.enum(entities), id })

/** What is the same for everything people keep. */
export const entries = {
  bin: endpoint('GET /api/keeper/bin', {
    summary: 'What was deleted in the last 30 days, newest first, 1,000 at once; of one keeper, or of all',
    access: 'person',
    query: z.extend(pagedQuery, { keeperId: z.optional(id) }),
    returns: z.array(binned),
  }),
  restore: endpoint('POST /api/keeper/bin/:entity/:id/restore', {
    summary: 'Take something out of the bin, as it was',
    access: 'person',
    params: entry,
    returns: z.object({ entity: z.enum(entities), id: z.string(), keeperId: z.string() }),
  }),
  history: endpoint('GET /api/keeper/entries/:entity/:id/history', {
    summary: 'The earlier states of something written, newest first; as many as make 4 MB at once',
    access: 'person',
    params: entry,
    query: pagedQuery,
    returns: z.array(earlier),
  }),
  reads: endpoint('GET /api/keeper/entries/:entity/:id/reads', {
    summary: 'Which agents had this before them, when, and in which run; newest first, 1,000 at once',
    access: 'person',
    params: entry,
    query: pagedQuery,
    returns: z.array(memoryRead),
  }),
}
