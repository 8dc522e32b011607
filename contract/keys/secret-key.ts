import * as z from 'zod/mini'

/** Trimmed and cut to what no provider exceeds; the format is checked per provider by the server. */
export const secretKey = z
  .string()
  .check(z.trim(), z.minLength(1, 'Paste the key.'), z.maxLength(500, 'No provider key is this long.'))
