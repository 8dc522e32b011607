import { hash, randomBytes } from 'node:crypto'

/** The prefix lets secret scanners recognize the token. */
export function newToken(prefix = 'kpr_'): { token: string; hash: string } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`
  return { token, hash: hashToken(token) }
}

/** SHA-256, hexadecimal. A 256-bit random token needs no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
