import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { cleanOneLine, displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import { pigments } from './journeys.ts'
import { clientId, id, keeperIdField, pagedQuery, recordFields, topicalEntities } from './keeper-fields.ts'

export function normalizeTopicName(name: string): string {
  return cleanOneLine(name).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

const counts = z.record(z.enum(topicalEntities), z.number())
export const topic = z.object({
  ...recordFields,
  name: displayLine,
  aliases: z.array(displayLine),
  color: z.enum(pigments),
  note: z.string(),
  pinned: z.boolean(),
  counts,
  total: z.number(),
  firstSaidAt: z.nullable(z.string()),
  lastSaidAt: z.nullable(z.string()),
})
export type Topic = z.infer<typeof topic>

export const mention = z.object({
  entity: z.enum(topicalEntities),
  id: z.string(),
  title: z.nullable(displayLine),
  excerpt: z.string(),
  at: z.string(),
})
export type Mention = z.infer<typeof mention>

export const topicMerge = z.object({ id: z.string(), name: displayLine, mergedAt: z.string() })

const name = oneLine({ max: 80, min: 1, message: 'Enter a name.' })
const fields = {
  aliases: z.optional(z.array(name).check(z.maxLength(500, 'Use at most 500 other names.'))),
  color: z.optional(z.enum(pigments)),
  note: z.optional(z.string().check(z.maxLength(5000))),
  pinned: z.optional(z.boolean('Use true or false.')),
}

export const topics = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/topics', {
    summary: 'List topics with their mentions: pinned ones first, then the most mentions; 1,000 per page',
    query: pagedQuery,
    response: z.array(topic),
  }),
  show: defineEntityEndpoint('GET /api/keeper/topics/:id', {
    summary: 'Get a topic with its newest 1,000 mentions, a cursor to earlier ones, related topics and merged topics',
    query: pagedQuery,
    response: z.extend(topic, {
      mentions: z.array(mention),
      together: z.array(z.object({ id: z.string(), name: displayLine, color: z.enum(pigments), count: z.number() })),
      merges: z.array(topicMerge),
    }),
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/topics', {
    summary: 'Create a topic; its name must be unused',
    body: z.object({ id: z.optional(clientId), ...keeperIdField, name, ...fields }),
    response: topic,
    supportsIdempotencyKey: true,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/topics/:id', {
    summary: 'Update a topic; a previous name becomes an alias',
    body: z.object({ name: z.optional(name), ...fields }),
    response: topic,
  }),
  remove: defineRemoval('DELETE /api/keeper/topics/:id', 'Move a topic to the trash; its entries stay'),
  merge: defineEndpoint('POST /api/keeper/topics/:id/merge/:targetId', {
    summary: 'Merge two topics; can be undone',
    access: 'person',
    params: z.object({ id, targetId: id }),
    response: z.object({ topic, mergeId: z.string() }),
  }),
  undoMerge: defineEntityEndpoint('POST /api/keeper/topic-merges/:id/undo', {
    summary: 'Undo a merge; mentions since then stay with the remaining topic',
    response: z.array(topic),
  }),
}
