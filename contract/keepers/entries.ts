import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'
import { entities, id, pagedQuery } from './keeper-fields.ts'

export const trashRetentionMs = 30 * 24 * 60 * 60 * 1000

export const trashedEntry = z.object({
  entity: z.enum(entities),
  id: z.string(),
  keeperId: z.string(),
  title: displayLine,
  deletedAt: z.string(),
  goneAt: z.string(),
})
export type TrashedEntry = z.infer<typeof trashedEntry>

export const entryVersion = z.object({
  rev: z.number(),
  savedAt: z.string(),
  snapshot: z.record(z.string(), z.unknown()),
})

export const memoryRead = z.object({
  id: z.string(),
  agentId: z.string(),
  agentName: displayLine,
  runId: z.string(),
  purpose: z.string(),
  at: z.string(),
})

const entryReference = z.object({ entity: z.enum(entities), id })

export const entries = {
  trash: defineEndpoint('GET /api/keeper/bin', {
    summary: 'List entries deleted in the last 30 days, newest first, in one keeper or all; 1,000 per page',
    access: 'person',
    query: z.extend(pagedQuery, { keeperId: z.optional(id) }),
    response: z.array(trashedEntry),
  }),
  restore: defineEndpoint('POST /api/keeper/bin/:entity/:id/restore', {
    summary: 'Restore an entry from the trash',
    access: 'person',
    params: entryReference,
    response: z.object({ entity: z.enum(entities), id: z.string(), keeperId: z.string() }),
  }),
  history: defineEndpoint('GET /api/keeper/entries/:entity/:id/history', {
    summary: 'List the earlier versions of an entry, newest first; up to 4 MB per page',
    access: 'person',
    params: entryReference,
    query: pagedQuery,
    response: z.array(entryVersion),
  }),
  reads: defineEndpoint('GET /api/keeper/entries/:entity/:id/reads', {
    summary: 'List the agents and runs that read an entry, newest first; 1,000 per page',
    access: 'person',
    params: entryReference,
    query: pagedQuery,
    response: z.array(memoryRead),
  }),
}
