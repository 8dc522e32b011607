import { ApiError } from '#web/api.ts'

/** The server's message, else `tried`, which names the attempt. */
export function getReasonText(reason: unknown, attemptText?: string): string {
  if (attemptText !== undefined && reason instanceof ApiError && !reason.serverMessage) return attemptText
  return reason instanceof Error && reason.message ? reason.message : (attemptText ?? 'No reason was given.')
}
