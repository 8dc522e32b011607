import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import {
  agentId,
  aiVisible,
  clientId,
  cursorQuery,
  entryParams,
  id,
  instant,
  keeperParams,
  longestSearch,
  markdown,
  markdownBodyLimit,
  nothing,
  sameKeeper,
  topicName,
  writtenFields,
} from './keeper-words.ts'
import { memoryCard } from './memory-cards.ts'
import { memoryConsent } from './memory-checks.ts'

/** A reflection is suggested for promotion when it is older than this and nobody let it rest. */
export const suggestedAfterMs = 24 * 60 * 60 * 1000

export const reflection = z.object({
  ...writtenFields,
  agentId: z.string(),
  topic: z.nullable(shownLine),
  content: z.string(),
  aiVisible: z.boolean(),
  /** Promoted ones are locked. */
  promotedToMemoryCard: z.boolean(),
  promotedAt: z.nullable(z.string()),
  /** Its card, once promoted. */
  memoryCardId: z.nullable(z.string()),
  /** When its person chose "Let it rest": not suggested any more, still promotable. */
  restedAt: z.nullable(z.string()),
  /** The moment it was written about. */
  momentId: z.nullable(z.string()),
})
export type Reflection = z.infer<typeof reflection>

export const reflections = {
  list: endpoint('GET /api/keeper/keepers/:id/reflections', {
    summary: 'Reflections, newest first; without a limit the newest 1,000',
    access: 'person',
    params: keeperParams,
    query: z.object({
      ...cursorQuery,
      /** Words in the text or the topic. */
      q: z.optional(z.string().check(z.trim(), z.maxLength(longestSearch))),
      topic: z.optional(topicName),
    }),
    returns: z.array(reflection),
  }),
  suggestions: endpoint('GET /api/keeper/keepers/:id/reflections/suggestions', {
    summary: 'Reflections older than 24 hours that were neither promoted nor let rest, oldest first',
    access: 'person',
    params: keeperParams,
    returns: z.array(reflection),
  }),
  show: endpoint('GET /api/keeper/reflections/:id', {
    summary: 'One reflection',
    access: 'person',
    params: entryParams,
    returns: reflection,
  }),
  create: endpoint('POST /api/keeper/keepers/:id/reflections', {
    summary: 'Write a reflection',
    access: 'person',
    params: keeperParams,
    body: z.object({
      id: z.optional(clientId),
      ...sameKeeper,
      topic: z.optional(z.nullable(topicName)),
      content: markdown,
      agentId,
      aiVisible,
      momentId: z.optional(z.nullable(id)),
      /** When it was written, where that was offline; at most the present. */
      createdAt: z.optional(instant),
    }),
    returns: reflection,
    creates: true,
    bodyLimit: markdownBodyLimit,
  }),
  update: endpoint('PUT /api/keeper/reflections/:id', {
    summary: 'Change a reflection that is not promoted',
    access: 'person',
    params: entryParams,
    body: z.object({
      content: z.optional(markdown),
      topic: z.optional(z.nullable(topicName)),
      aiVisible,
    }),
    returns: reflection,
    bodyLimit: markdownBodyLimit,
  }),
  remove: endpoint('DELETE /api/keeper/reflections/:id', {
    summary: 'Put a reflection into the bin; its card stays',
    access: 'person',
    params: entryParams,
    returns: nothing,
  }),
  promote: endpoint('POST /api/keeper/reflections/:id/promote', {
    summary:
      'Make a memory card of a reflection, once; from then on it is locked. 409 `answers-changed` until that is confirmed',
    access: 'person',
    params: entryParams,
    body: z.object({ goldenCheck: memoryConsent }),
    returns: memoryCard,
  }),
  rest: endpoint('POST /api/keeper/reflections/:id/rest', {
    summary: 'Let a reflection rest: it is suggested no more; `rest: false` takes that back',
    access: 'person',
    params: entryParams,
    body: z.object({ rest: z.optional(z.boolean('Say true or false.')) }),
    returns: reflection,
  }),
}
