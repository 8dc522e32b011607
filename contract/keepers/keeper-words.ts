import * as z from 'zod/mini'
import { oneLine } from '../one-line-text.ts'

/** Words and fields that all things people keep in a keeper share. */

export const id = z.string().check(z.maxLength(64))

/**
 * An id the client made itself: 32 hexadecimal characters (128 random bits). What was written offline is created under
 * it, so that sending it twice makes it once.
 */
export const clientId = z
  .string()
  .check(z.regex(/^[0-9a-f]{32}$/, 'Make an id of 32 hexadecimal characters, or leave it out.'))

/** Of what is looked for: a sentence of it. */
export const longestSearch = 200

/** A day as it was lived, such as 2026-11-20, whatever the clock says elsewhere. */
export const day = z.iso.date('Enter a date like 2026-11-20.')

/** An instant in UTC, such as 2026-11-20T18:30:00.000Z; offsets are taken too. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Give a time as 2026-11-20T18:30:00Z.' })
  .check(z.maxLength(40))

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const timeZone = z.string().check(z.maxLength(64), z.refine(isTimeZone, 'Give a time zone as Europe/Berlin.'))

/**
 * What a person or an agent wrote: Markdown, kept byte for byte. Room for 50,000 words and more in any language; a
 * reflection and the card it becomes hold the same.
 */
export const markdown = z.string().check(
  z.refine((text) => text.trim() !== '', 'Write something first.'),
  z.maxLength(500_000, 'Use at most 500,000 characters.'),
)
/** Bytes of a call that carries {@link markdown}: 500,000 characters of the longest scripts, escaped. */
export const markdownBodyLimit = 4 * 1024 * 1024

/** Everything a person keeps in a keeper, one word for each kind. */
export const entities = [
  'keeper',
  'reflection',
  'card',
  'voice',
  'echo',
  'logbook',
  'moment',
  'journey',
  'path',
  'topic',
] as const
export type Entity = (typeof entities)[number]

/** The kinds whose topics are counted. */
export const topicalEntities = ['moment', 'reflection', 'card', 'voice', 'logbook'] as const
export type TopicalEntity = (typeof topicalEntities)[number]

/** Who wrote a reflection or an entry where nobody said. */
export const defaultAgentId = 'default-agent'

export const agentId = z.optional(z.string().check(z.trim(), z.maxLength(64)))

/** False: never put before a model, by nobody ("not for AI"). */
export const aiVisible = z.optional(z.boolean('Say true or false.'))

/** A topic as it is said: one word or a few, or empty for none. */
export const topicName = oneLine({ max: 80 })

/** Seed clients say the keeper in the body too; one that differs from the address is refused. */
export const sameKeeper = { keeperId: z.optional(id) }

export const keeperParams = z.object({ id })
export const entryParams = z.object({ id })

const cursor = z.optional(z.string().check(z.maxLength(300)))
/** Lists that come 1,000 at once; `next_cursor` beside them leads to the rest. */
export const pagedQuery = z.object({ cursor })

export const cursorQuery = {
  cursor,
  /** At most 100; 50 when left out. */
  limit: z.optional(
    z.coerce
      .number()
      .check(
        z.int('Ask for a whole number.'),
        z.minimum(1, 'Ask for at least 1.'),
        z.maximum(100, 'Ask for at most 100 at once.'),
      ),
  ),
}

/** What every written thing carries. Times are ISO, UTC. */
export const writtenFields = {
  id: z.string(),
  keeperId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Sent back as `If-Match` when it is changed. */
  rev: z.number(),
}

export const nothing = z.nullable(z.object({}))
