import { hash, randomBytes } from 'node:crypto'

/** A 256-bit secret to hand out, and the hash that is all the database keeps of it. */
export function newToken(): { token: string; hash: string } {
  const token = `kpr_${randomBytes(32).toString('base64url')}`
  return { token, hash: hashToken(token) }
}

/** SHA-256, hexadecimal. A 256-bit random token needs no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
