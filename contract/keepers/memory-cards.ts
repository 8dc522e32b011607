import * as z from 'zod/mini'
import { displayLine } from '../one-line-text.ts'
import { defineEntityEndpoint, defineRemoval } from './entity-endpoint.ts'
import {
  aiVisible,
  cursorQuery,
  markdown,
  markdownBodyLimit,
  pagedQuery,
  recordFields,
  topicName,
} from './keeper-fields.ts'
import { memoryConsent } from './memory-checks.ts'

/** `draft`: an imported memory written by an AI, excluded from prompts until the owner approves it. */
export const cardStates = ['active', 'draft'] as const
export type CardState = (typeof cardStates)[number]

export const memoryCard = z.object({
  ...recordFields,
  reflectionId: z.nullable(z.string()),
  content: z.string(),
  topic: z.nullable(displayLine),
  aiVisible: z.boolean(),
  state: z.enum(cardStates),
  /** Has a current vector: from the current model, or from the built-in one if no provider can read the card. */
  embedded: z.boolean(),
  embedding: z.nullable(z.string()),
  reflection: z.nullable(z.object({ id: z.string(), agentId: z.string(), createdAt: z.string() })),
})
export type MemoryCard = z.infer<typeof memoryCard>

export const matchKinds = ['words', 'meaning'] as const
export const cardSearchResult = z.object({
  card: memoryCard,
  matched: z.array(z.enum(matchKinds)),
  /** Combined score of both rankings, comparable only within one response. */
  score: z.number(),
  /** `undefined` if the card matches only by meaning. */
  snippet: z.optional(z.string()),
  /** UTF-16 ranges to highlight in the snippet. */
  marks: z.optional(z.array(z.tuple([z.number(), z.number()]))),
})
export type CardSearchResult = z.infer<typeof cardSearchResult>

/** How far semantic search was possible; sent next to `data`. */
export interface MeaningSearchInfo {
  searched: boolean
  model: string
  lexical: boolean
  reason: string | null
}

export const builtInModel = 'built-in'

export const embeddingStatus = z.object({
  total: z.number(),
  embedded: z.number(),
  pending: z.number(),
  model: z.string(),
  lexical: z.boolean(),
  topics: z.array(z.object({ topic: displayLine, count: z.number() })),
  job: z.nullable(
    z.object({
      id: z.string(),
      state: z.enum(['running', 'done', 'failed']),
      total: z.number(),
      done: z.number(),
      error: z.nullable(z.string()),
    }),
  ),
})
export type EmbeddingStatus = z.infer<typeof embeddingStatus>

export const memoryCards = {
  list: defineEntityEndpoint('GET /api/keeper/keepers/:id/memory-cards', {
    summary: 'List memory cards, newest first; without a limit the newest 1,000',
    query: z.object({
      ...cursorQuery,
      topic: z.optional(topicName),
      embedded: z.optional(z.enum(['true', 'false'], 'Use true or false.')),
    }),
    response: z.array(memoryCard),
  }),
  byTopic: defineEntityEndpoint('GET /api/keeper/keepers/:id/memory-cards/by-topic', {
    summary:
      'List topics with their cards, largest topic first; cards without a topic are under `null`; each page has up to 1,000 cards, taken from every topic in turn',
    query: pagedQuery,
    response: z.array(z.object({ topic: z.nullable(displayLine), count: z.number(), cards: z.array(memoryCard) })),
  }),
  embeddingStatus: defineEntityEndpoint('GET /api/keeper/keepers/:id/memory-cards/embedding-status', {
    summary: 'Get the number of cards with a current embedding',
    response: embeddingStatus,
  }),
  generateEmbeddings: defineEntityEndpoint('POST /api/keeper/keepers/:id/memory-cards/generate-embeddings', {
    summary: 'Start embedding the cards that lack an embedding of the current model; runs in the background',
    response: embeddingStatus,
  }),
  search: defineEntityEndpoint('GET /api/keeper/keepers/:id/memory-cards/search', {
    summary: 'Search memory cards by words and by meaning, best matches first',
    query: z.object({
      query: z.string().check(z.trim(), z.minLength(1, 'Enter a search.'), z.maxLength(500)),
      limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
    }),
    response: z.array(cardSearchResult),
  }),
  show: defineEntityEndpoint('GET /api/keeper/memory-cards/:id', {
    summary: 'Get a memory card',
    response: memoryCard,
  }),
  update: defineEntityEndpoint('PUT /api/keeper/memory-cards/:id', {
    summary:
      'Update a memory card; changed text is embedded again. Approving one returns 409 `answers-changed` if answers to golden questions change, until `goldenCheck` confirms it',
    body: z.object({
      content: z.optional(markdown),
      topic: z.optional(z.nullable(topicName)),
      aiVisible,
      state: z.optional(z.literal('active', 'A card can only be made active.')),
      goldenCheck: memoryConsent,
    }),
    response: memoryCard,
    maxBodyBytes: markdownBodyLimit,
  }),
  remove: defineRemoval('DELETE /api/keeper/memory-cards/:id', 'Move a memory card to the trash'),
}
