import { passwordLength } from '#contract/accounts/visitor-calls.ts'
import { ApiError, NetworkError } from '#web/api/api.ts'

export const passwordHelp = `At least ${passwordLength.min} characters.`

export function getEmailProblem(email = ''): string | undefined {
  if (email.trim() === '') return 'Enter your email.'
  return isEmailLike(email.trim()) ? undefined : 'Enter an email address, like name@example.com.'
}

function isEmailLike(email: string): boolean {
  const atIndex = email.indexOf('@', 1)
  return atIndex > 0 && atIndex < email.length - 1 && !/\s/.test(email)
}

export function getNewPasswordProblem(password = ''): string | undefined {
  if (password === '') return 'Choose a password.'
  if (password.length < passwordLength.min) return `Use at least ${passwordLength.min} characters.`
  return password.length > passwordLength.max ? `Use at most ${passwordLength.max} characters.` : undefined
}

export function getPasswordProblem(password = ''): string | undefined {
  return password === '' ? 'Enter your password.' : undefined
}

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
