import { ApiError } from '#web/api.ts'

export function getReasonText(reason: unknown, attemptText?: string): string {
  if (attemptText !== undefined && reason instanceof ApiError && !reason.serverMessage) return attemptText
  return reason instanceof Error && reason.message ? reason.message : (attemptText ?? 'No reason was given.')
}
