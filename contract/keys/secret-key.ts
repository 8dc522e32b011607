import * as z from 'zod/mini'

export const secretKey = z
  .string()
  .check(z.trim(), z.minLength(1, 'Paste the key.'), z.maxLength(500, 'This is too long for a provider key.'))
