import { ApiError } from '#web/api.ts'

/** The server's words, else what it was asked to do; of no answer, that nothing was saved (seed 002 §8). */
export function keeperFailureText(reason: unknown, tried: string): string {
  if (reason instanceof ApiError) return reason.told || tried
  return 'Failed to save keeper. What you typed is still here. Try again when the server can be reached.'
}
