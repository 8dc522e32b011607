import { ApiError } from '#web/api.ts'

/** The server's message, else `tried`, which names the attempt. */
export function reasonText(reason: unknown, tried?: string): string {
  if (tried !== undefined && reason instanceof ApiError && !reason.told) return tried
  return reason instanceof Error && reason.message ? reason.message : (tried ?? 'No reason was given.')
}
