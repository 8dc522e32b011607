import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'

const lifetimeMs = 5 * 60 * 1000
const nonceByteLength = 16
const timeByteLength = 8
const macByteLength = 32

/** Binds a challenge to a purpose, person and session; any other use is refused. */
export type ChallengePurpose = 'sign-in' | `register ${string}` | `prove ${string}`

/** A challenge that only this server can issue: nothing is stored until it is used, since anyone can ask for one. */
export function createChallenge(services: Services, purpose: ChallengePurpose): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(nonceByteLength + timeByteLength)
  randomBytes(nonceByteLength).copy(head)
  head.writeBigInt64BE(BigInt(services.now().getTime() + lifetimeMs), nonceByteLength)
  return Uint8Array.from(Buffer.concat([head, sign(services, purpose, head)]))
}

function sign({ sealer }: Services, purpose: ChallengePurpose, head: Buffer): Buffer {
  return Buffer.from(sealer.derive('passkey challenge', `${purpose} ${head.toString('base64url')}`), 'base64url')
}

/** Consumes a challenge. Returns false for a used one, also for the second of two concurrent uses in two processes. */
export async function redeemChallenge(
  services: Services,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== nonceByteLength + timeByteLength + macByteLength) return false
  const head = bytes.subarray(0, nonceByteLength + timeByteLength)
  if (!timingSafeEqual(bytes.subarray(head.length), sign(services, purpose, head))) return false
  const expiresAt = Number(head.readBigInt64BE(nonceByteLength))
  if (expiresAt <= services.now().getTime()) return false
  try {
    await services.db
      .insertInto('used_challenges')
      .values({ challenge_hash: hash('sha256', bytes, 'base64url'), expires_at: expiresAt })
      .execute()
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

export async function sweepUsedChallenges({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<', now().getTime()).execute()
}
