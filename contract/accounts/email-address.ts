import * as z from 'zod/mini'

export const emailAddress = z
  .string()
  .check(z.trim(), z.maxLength(254), z.email('Enter an email address, like name@example.com.'))
