import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import {
  aiVisible,
  cursorQuery,
  entryParams,
  keeperParams,
  markdown,
  markdownBodyLimit,
  nothing,
  pagedQuery,
  topicName,
  writtenFields,
} from './keeper-words.ts'

import { memoryConsent } from './memory-checks.ts'

/** `draft`: an imported memory that an AI wrote; it enters no prompt until its person approves it. */
export const cardStates = ['active', 'draft'] as const
export type CardState = (typeof cardStates)[number]

export const memoryCard = z.object({
  ...writtenFields,
  reflectionId: z.nullable(z.string()),
  content: z.string(),
  topic: z.nullable(shownLine),
  aiVisible: z.boolean(),
  state: z.enum(cardStates),
  /** Has the vector it is to have: of the present model, or of the built-in one where no provider may read it. */
  embedded: z.boolean(),
  /** What embedded it, such as `text-embedding-3-small` or `built-in`. */
  embedding: z.nullable(z.string()),
  reflection: z.nullable(z.object({ id: z.string(), agentId: z.string(), createdAt: z.string() })),
})
export type MemoryCard = z.infer<typeof memoryCard>

export const matchKinds = ['words', 'meaning'] as const
export const foundCard = z.object({
  card: memoryCard,
  /** Which of the two searches found it. */
  matched: z.array(z.enum(matchKinds)),
  /** Of both rankings together; higher is better, comparable only within one answer. */
  score: z.number(),
  /** Where its words were found; `undefined` when only its meaning fits. */
  snippet: z.optional(z.string()),
  /** The words to mark in the snippet: from and up to which UTF-16 place. */
  marks: z.optional(z.array(z.tuple([z.number(), z.number()]))),
})
export type FoundCard = z.infer<typeof foundCard>

/** How far a search could look by meaning; stands beside `data` in the answer. */
export interface SearchedByMeaning {
  /** False: found by words only, and `reason` says why. */
  searched: boolean
  model: string
  /** It knows words, not their meaning. */
  lexical: boolean
  reason: string | null
}

/** The model's name of the embedding that comes with Keeper; it compares words and their parts, and says so. */
export const builtInModel = 'built-in'

export const embeddingStatus = z.object({
  total: z.number(),
  embedded: z.number(),
  pending: z.number(),
  /** What new cards are embedded with now. */
  model: z.string(),
  /** True for {@link builtInModel}: it knows words, not their meaning. */
  lexical: z.boolean(),
  /** What the cards speak of, the fullest first. */
  topics: z.array(z.object({ topic: shownLine, count: z.number() })),
  /** The job under way, or the last one while it is of interest. */
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
  list: endpoint('GET /api/keeper/keepers/:id/memory-cards', {
    summary: 'Memory cards, newest first; without a limit the newest 1,000',
    access: 'person',
    params: keeperParams,
    query: z.object({
      ...cursorQuery,
      topic: z.optional(topicName),
      embedded: z.optional(z.enum(['true', 'false'], 'Say true or false.')),
    }),
    returns: z.array(memoryCard),
  }),
  byTopic: endpoint('GET /api/keeper/keepers/:id/memory-cards/by-topic', {
    summary:
      'Topics with their cards, the fullest first; `null` holds those without one; 1,000 cards at once, the newest of each topic before the second ones',
    access: 'person',
    params: keeperParams,
    query: pagedQuery,
    returns: z.array(z.object({ topic: z.nullable(shownLine), count: z.number(), cards: z.array(memoryCard) })),
  }),
  embeddingStatus: endpoint('GET /api/keeper/keepers/:id/memory-cards/embedding-status', {
    summary: 'How many cards can be found by meaning',
    access: 'person',
    params: keeperParams,
    returns: embeddingStatus,
  }),
  generateEmbeddings: endpoint('POST /api/keeper/keepers/:id/memory-cards/generate-embeddings', {
    summary: 'Begin to embed the cards that are not embedded with the present model; goes on by itself',
    access: 'person',
    params: keeperParams,
    returns: embeddingStatus,
  }),
  search: endpoint('GET /api/keeper/keepers/:id/memory-cards/search', {
    summary: 'Search by words and by meaning; both rankings merged, best first',
    access: 'person',
    params: keeperParams,
    query: z.object({
      query: z.string().check(z.trim(), z.minLength(1, 'Say what to look for.'), z.maxLength(500)),
      limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
    }),
    returns: z.array(foundCard),
  }),
  show: endpoint('GET /api/keeper/memory-cards/:id', {
    summary: 'One memory card',
    access: 'person',
    params: entryParams,
    returns: memoryCard,
  }),
  update: endpoint('PUT /api/keeper/memory-cards/:id', {
    summary:
      'Change a memory card; changed words are embedded anew. Approving one is 409 `answers-changed` until that is confirmed',
    access: 'person',
    params: entryParams,
    body: z.object({
      content: z.optional(markdown),
      topic: z.optional(z.nullable(topicName)),
      aiVisible,
      /** `active` approves an imported memory. */
      state: z.optional(z.literal('active', 'A card can only be made active.')),
      goldenCheck: memoryConsent,
    }),
    returns: memoryCard,
    bodyLimit: markdownBodyLimit,
  }),
  remove: endpoint('DELETE /api/keeper/memory-cards/:id', {
    summary: 'Put a memory card into the bin',
    access: 'person',
    params: entryParams,
    returns: nothing,
  }),
}
