import { ApiError, NetworkError } from '#web/api/api.ts'

const cannotConnectText = 'Failed to connect to the server. Please try again later.'
const storageBlockedText =
  'This browser blocks storage for this site, so you can’t stay signed in. Allow site data and try again.'
const unknownErrorText = 'An unknown error occurred.'

export function toAccountFailureText(reason: unknown): string {
  if (reason instanceof NetworkError) return cannotConnectText
  if (reason instanceof DOMException && /^(Security|QuotaExceeded)Error$/.test(reason.name)) return storageBlockedText
  if (!(reason instanceof ApiError)) return unknownErrorText
  if (reason.serverMessage) return reason.serverMessage
  // These pages have no debug console that shows the request ID.
  const request = reason.status >= 500 && reason.requestId
  return request ? `${unknownErrorText} Try again. Request ${request}.` : unknownErrorText
}

export function getAccountFieldErrors(reason: unknown): Record<string, string> {
  return (reason instanceof ApiError && reason.fields) || {}
}
