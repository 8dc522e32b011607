import * as z from 'zod/mini'

/**
 * Trims and refuses what is no address; compared case-insensitively by the server. A page checks with it; the pages at the
 * door, which are weighed, do not.
 */
export const emailAddress = z
  .string()
  .check(z.trim(), z.maxLength(254), z.email('Enter an email address, like name@example.com.'))
