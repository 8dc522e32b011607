import { Problem } from '#server/http/problem.ts'

/** Security keys without a PIN fail here; trying again, or another key of the kind, doesn't help. */
export function toPasskeyProblem(error: unknown, message?: string): Problem {
  const isUnverified = error instanceof Error && error.message.startsWith('User verification')
  const text = isUnverified
    ? 'Your device didn’t check a PIN, fingerprint or face, and Keeper needs that. Set one up on the device, then try again.'
    : message
  return new Problem('passkey-refused', { ...(text && { message: text }), cause: error })
}
