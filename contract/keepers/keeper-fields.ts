import * as z from 'zod/mini'
import { oneLine } from '../one-line-text.ts'
import { getDateFormat } from './local-time.ts'

export const id = z.string().check(z.maxLength(64))

/** A client-generated ID of 128 random bits. Retries of an entry written offline create it once. */
export const clientId = z
  .string()
  .check(z.regex(/^[0-9a-f]{32}$/, 'Use an ID of 32 hexadecimal characters, or omit it.'))

export const maxSearchLength = 200

/** A local day such as 2026-11-20, independent of time zones. */
export const day = z.iso.date('Enter a date like 2026-11-20.')

/** A UTC instant such as 2026-11-20T18:30:00.000Z; offsets are accepted. */
export const instant = z.iso
  .datetime({ offset: true, error: 'Use a time like 2026-11-20T18:30:00Z.' })
  .check(z.maxLength(40))

export function isTimeZone(name: string): boolean {
  try {
    getDateFormat(name)
    return true
  } catch {
    return false
  }
}

export const timeZone = z.string().check(z.maxLength(64), z.refine(isTimeZone, 'Use a time zone like Europe/Berlin.'))

/** Markdown written by a person or agent, stored unchanged; fits 50,000 words in any language. */
export const markdown = z.string().check(
  z.refine((text) => text.trim() !== '', 'Write something first.'),
  z.maxLength(500_000, 'Use at most 500,000 characters.'),
)
/** Max body bytes of a call with {@link markdown}: 500,000 escaped characters. */
export const markdownBodyLimit = 4 * 1024 * 1024

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
  'source',
] as const
export type Entity = (typeof entities)[number]

export const topicalEntities = ['moment', 'reflection', 'card', 'voice', 'logbook'] as const
export type TopicalEntity = (typeof topicalEntities)[number]

export const defaultAgentId = 'default-agent'

export const agentId = z.optional(z.string().check(z.trim(), z.maxLength(64)))

/** If false ("Not for AI"), the entry is excluded from every prompt. */
export const aiVisible = z.optional(z.boolean('Use true or false.'))

export const topicName = oneLine({ max: 80 })

/** Some clients repeat the keeper in the body; one that differs from the route is refused. */
export const keeperIdField = { keeperId: z.optional(id) }

const cursor = z.optional(z.string().check(z.maxLength(300)))
/** For lists with 1,000 items per page and a `next_cursor`. */
export const pagedQuery = z.object({ cursor })

export const cursorQuery = {
  cursor,
  limit: z.optional(
    z.coerce
      .number('Use a whole number.')
      .check(z.int('Use a whole number.'), z.minimum(1, 'Use 1 or more.'), z.maximum(100, 'Use at most 100.')),
  ),
}

export const recordFields = {
  id: z.string(),
  keeperId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  rev: z.number(),
}

export const emptyResponse = z.nullable(z.object({}))
