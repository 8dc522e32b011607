import { ApiError } from '#web/api/api.ts'

export function getReasonText(reason: unknown, fallbackText?: string): string {
  if (fallbackText !== undefined && reason instanceof ApiError && !reason.serverMessage) return fallbackText
  return reason instanceof Error && reason.message ? reason.message : (fallbackText ?? 'No reason was given.')
}
