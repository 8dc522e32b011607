import { ApiError } from '#web/api.ts'

/** What the server said in words, else `tried`: what was being done (seed 001 §8). */
export function reasonText(reason: unknown, tried?: string): string {
  if (tried !== undefined && reason instanceof ApiError && !reason.told) return tried
  return reason instanceof Error && reason.message ? reason.message : (tried ?? 'No reason was given.')
}
