import * as z from 'zod/mini'
import { displayLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import {
  agentId,
  aiVisible,
  clientId,
  cursorQuery,
  id,
  instant,
  keeperIdField,
  markdown,
  markdownBodyLimit,
  maxSearchLength,
  recordFields,
  topicName,
} from './keeper-fields.ts'
import { memoryCard } from './memory-cards.ts'
import { memoryConsent } from './memory-checks.ts'

export const defaultSuggestionAgeMs = 24 * 60 * 60 * 1000

export const reflection = z.object({
  ...recordFields,
  agentId: z.string(),
  topic: z.nullable(displayLine),
  content: z.string(),
  aiVisible: z.boolean(),
  promotedToMemoryCard: z.boolean(),
  promotedAt: z.nullable(z.string()),
  memoryCardId: z.nullable(z.string()),
  /** When the person chose "Let it rest": no longer suggested, but still promotable. */
  restedAt: z.nullable(z.string()),
  momentId: z.nullable(z.string()),
})
export type Reflection = z.infer<typeof reflection>

export const reflections = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/reflections', {
    summary: 'List reflections, newest first; without a limit the newest 1,000',
    query: z.object({
      ...cursorQuery,
      q: z.optional(z.string().check(z.trim(), z.maxLength(maxSearchLength))),
      topic: z.optional(topicName),
    }),
    response: z.array(reflection),
  }),
  suggestions: defineEntityEndpoint('GET /api/keeper/keepers/:id/reflections/suggestions', {
    summary: 'List reflections older than 24 hours that were neither promoted nor left to rest, oldest first',
    response: z.array(reflection),
  }),
  show: defineEntityEndpoint('GET /api/keeper/reflections/:id', {
    summary: 'Get a reflection',
    response: reflection,
  }),
  create: defineEntityEndpoint('POST /api/keeper/keepers/:id/reflections', {
    summary: 'Write a reflection',
    scope: 'capture',
    body: z.object({
      id: z.optional(clientId),
      ...keeperIdField,
      topic: z.optional(z.nullable(topicName)),
      content: markdown,
      agentId,
      aiVisible,
      momentId: z.optional(z.nullable(id)),
      createdAt: z.optional(instant),
    }),
    response: reflection,
    supportsIdempotencyKey: true,
    maxBodyBytes: markdownBodyLimit,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/reflections/:id', {
    summary: 'Update a reflection that isn’t promoted',
    body: z.object({
      content: z.optional(markdown),
      topic: z.optional(z.nullable(topicName)),
      aiVisible,
    }),
    response: reflection,
    maxBodyBytes: markdownBodyLimit,
  }),
  remove: defineRemoval('DELETE /api/keeper/reflections/:id', 'Move a reflection to the trash; its card stays'),
  promote: defineEntityEndpoint('POST /api/keeper/reflections/:id/promote', {
    summary:
      'Promote a reflection to a memory card, once; the reflection is then locked. 409 `answers-changed` if answers to golden questions change, until `goldenCheck` confirms it',
    body: z.object({ goldenCheck: memoryConsent }),
    response: memoryCard,
  }),
  rest: defineEntityEndpoint('POST /api/keeper/reflections/:id/rest', {
    summary: 'Let a reflection rest, so that it is no longer suggested; `rest: false` undoes that',
    body: z.object({ rest: z.optional(z.boolean('Use true or false.')) }),
    response: reflection,
  }),
}
