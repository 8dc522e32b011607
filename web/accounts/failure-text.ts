import { ApiError, Unreachable } from '#web/api.ts'

const cannotConnectText = 'Failed to connect to the server. Please try again later.'
const unknownErrorText = 'An unknown error occurred.'

/** Sign-in and registration: the server's words, else one of two texts (seed 000 §8). */
export function failureText(reason: unknown): string {
  if (reason instanceof Unreachable) return cannotConnectText
  if (!(reason instanceof ApiError)) return unknownErrorText
  const text = reason.told || unknownErrorText
  // These pages have no system information to look it up in.
  return reason.status >= 500 && reason.requestId ? `${text} Try again. Request ${reason.requestId}.` : text
}

export function fieldErrors(reason: unknown): Record<string, string> {
  return (reason instanceof ApiError && reason.fields) || {}
}
