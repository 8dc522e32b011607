import { ApiError } from '#web/api/api.ts'

/** The token for the second step, if the password was right and a code is missing. */
export function getPendingToken(reason: unknown): string | undefined {
  if (!(reason instanceof ApiError) || reason.code !== 'second-factor-needed') return undefined
  return (reason.data as { pending?: { token?: string } } | undefined)?.pending?.token
}

const deviceTokenKey = 'keeper-device'

/** A token that takes the place of codes on this device; it stays after signing out. */
export function readDeviceToken(): string | null {
  try {
    return localStorage.getItem(deviceTokenKey)
  } catch {
    return null
  }
}

export function storeDeviceToken(token: string | null | undefined): void {
  try {
    if (token) localStorage.setItem(deviceTokenKey, token)
  } catch {
    // Storage is blocked, so the next sign-in asks for a code.
  }
}
