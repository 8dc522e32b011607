import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { cursorQuery, day, id, maxSearchLength } from './keeper-fields.ts'

export const searchTypes = [
  'moment',
  'reflection',
  'card',
  'voice',
  'logbook',
  'echo',
  'journey',
  'topic',
  'source',
  'chat',
  'board',
] as const
export type SearchType = (typeof searchTypes)[number]

const marks = z.array(z.tuple([z.number(), z.number()]))
export const searchHit = z.object({
  type: z.enum(searchTypes),
  id: z.string(),
  /** Empty if the entry has no title. */
  title: displayLine,
  /** Positions of the matches in the title; the end is exclusive. */
  titleMarks: marks,
  excerpt: z.string(),
  marks,
  at: z.string(),
  /** The local day of a moment or logbook entry, else the UTC day. */
  day: z.string(),
  keeperId: z.nullable(z.string()),
  /** Title of its keeper, name of its board, or the agent of its chat. */
  place: displayLine,
  link: z.string(),
})
export type SearchHit = z.infer<typeof searchHit>

export const search = {
  find: defineEndpoint('GET /api/keeper/search', {
    summary:
      'Search everything you wrote: words, "phrases" and -exclusions; matching topics and journeys first, then newest first',
    access: 'person',
    query: z.object({
      q: z.string().check(z.trim(), z.minLength(1, 'Enter a word to search for.'), z.maxLength(maxSearchLength)),
      type: z.optional(z.enum(searchTypes)),
      keeperId: z.optional(id),
      topic: z.optional(oneLine({ max: 80 })),
      mood: z.optional(z.coerce.number().check(z.int('Use a whole number.'), z.minimum(-2), z.maximum(2))),
      from: z.optional(day),
      to: z.optional(day),
      hasPicture: z.optional(z.literal('true')),
      ...cursorQuery,
    }),
    response: z.object({
      items: z.array(searchHit),
      next_cursor: z.nullable(z.string()),
      /** Entries changed recently or by an upgrade that are not found yet. */
      pending: z.number(),
    }),
  }),
}
