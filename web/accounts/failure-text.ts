import { ApiError, Unreachable } from '#web/api.ts'

const cannotConnectText = 'Failed to connect to the server. Please try again later.'
const cannotKeepText =
  'This browser keeps nothing for this site, so nobody can stay signed in. Allow it to, and try again.'
const unknownErrorText = 'An unknown error occurred.'

/** Sign-in and registration: the server's words, else one of two texts (seed 000 §8). */
export function failureText(reason: unknown): string {
  if (reason instanceof Unreachable) return cannotConnectText
  if (reason instanceof DOMException && /^(Security|QuotaExceeded)Error$/.test(reason.name)) return cannotKeepText
  if (!(reason instanceof ApiError)) return unknownErrorText
  if (reason.told) return reason.told
  // These pages have no system information to look it up in.
  const request = reason.status >= 500 && reason.requestId
  return request ? `${unknownErrorText} Try again. Request ${request}.` : unknownErrorText
}

export function fieldErrors(reason: unknown): Record<string, string> {
  return (reason instanceof ApiError && reason.fields) || {}
}
