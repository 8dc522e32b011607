import * as z from 'zod/mini'
import { displayLine } from '../one-line-text.ts'
import { defineEntityEndpoint } from './entity-endpoint.ts'
import { cursorQuery, day } from './keeper-fields.ts'
import { media } from './media.ts'

/** About three a day for nine years; a longer span is several books. */
export const maxBookEntries = 10_000

export const bookEntry = z.object({
  kind: z.enum(['moment', 'reflection', 'logbook']),
  id: z.string(),
  day: z.string(),
  /** Local time such as 08:30; null for a logbook entry, which has a day only. */
  time: z.nullable(z.string()),
  title: z.nullable(displayLine),
  /** Place, mood, topics or category. */
  details: z.array(displayLine),
  /** Markdown. */
  text: z.string(),
  media: z.array(media),
})
export type BookEntry = z.infer<typeof bookEntry>

export const bookOutline = z.object({
  entries: z.number(),
  pictures: z.number(),
  first: z.nullable(z.string()),
  last: z.nullable(z.string()),
  /** Oldest first; empty when there are more than `maxBookEntries` entries. */
  chapters: z.array(z.object({ month: z.string(), entries: z.number() })),
})
export type BookOutline = z.infer<typeof bookOutline>

const spanFields = { from: z.optional(day), to: z.optional(day) }

/** Moments, reflections and logbook entries of a keeper in the order in which they happened. */
export const book = {
  outline: defineEntityEndpoint('GET /api/keeper/keepers/:id/book', {
    summary: 'Count the entries and pictures of a book, with its months; both days are included',
    query: z.object(spanFields),
    response: bookOutline,
  }),
  entries: defineEntityEndpoint('GET /api/keeper/keepers/:id/book/entries', {
    summary: 'List the entries of a book, oldest first, at most 100 per page; a book has at most 10,000',
    query: z.object({ ...spanFields, cursor: cursorQuery.cursor }),
    response: z.object({ items: z.array(bookEntry), next_cursor: z.nullable(z.string()) }),
  }),
  epub: defineEntityEndpoint('GET /api/keeper/keepers/:id/book.epub', {
    summary: 'Download a book as EPUB 3 with its pictures; at most 10,000 entries and 2 GB of pictures',
    query: z.object(spanFields),
    response: z.unknown(),
  }),
}
