export const sessionMethods = [
  'password',
  'password+totp',
  'password+recovery',
  'password+passkey',
  'passkey',
  'oidc',
  'oidc+totp',
  'oidc+recovery',
  'oidc+passkey',
] as const
/** How a session was opened, and with which second factor it was proved. */
export type SessionMethod = (typeof sessionMethods)[number]

/** How long a proof counts. Signing in is one. */
export const proofLifetimeMs = 5 * 60 * 1000

/** Times in ms. A clock set back in the meantime doesn't make a proof recent. */
export function isProofRecent(provedAt: number | null, now: number): boolean {
  return provedAt !== null && Math.abs(now - provedAt) < proofLifetimeMs
}

/** Whether two factors proved the session. A verified passkey is both: the device, and its PIN or biometrics. */
export function isTwoFactorMethod(method: SessionMethod | null): boolean {
  return method !== null && method !== 'password' && method !== 'oidc'
}
