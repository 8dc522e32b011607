import * as z from 'zod/mini'

/** The address of a server that a person chose. */
export const httpAddress = z
  .string()
  .check(
    z.trim(),
    z.maxLength(2000, 'Use an address of at most 2,000 characters.'),
    z.regex(/^https?:\/\/\S+$/, 'Use an address starting with https:// or http://.'),
  )
