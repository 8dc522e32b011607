import { ApiError } from '#web/api.ts'

/** The server's message or a fallback; without an answer, a note that nothing was saved. */
export function getKeeperFailureText(reason: unknown, fallback: string): string {
  if (reason instanceof ApiError) return reason.serverMessage || fallback
  return 'Failed to save keeper. What you typed is still here. Try again when the server can be reached.'
}
