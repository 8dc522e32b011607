import * as z from 'zod/mini'
import { oneLine } from './one-line-text.ts'

/** Fields of entries that come with Keeper or that people created. */
export const catalogEntryFields = {
  id: z.string(),
  slug: z.string(),
  description: z.string(),
  system: z.boolean(),
  mine: z.boolean(),
  createdAt: z.string(),
  rev: z.number(),
}

export const shortName = oneLine({ max: 80, min: 1, message: 'Enter a name.' })
export const entryDescription = z.optional(
  z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.')),
)
