import type { SignInResult } from '#contract/accounts/accounts.ts'
import type { PasskeyOptions, PasskeyResponse } from '#contract/accounts/passkey-messages.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts, readAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { openSession, requireOpenAccount } from '../sessions.ts'
import { type ChallengePurpose, createChallenge } from './challenges.ts'
import { requirePasskeyHost } from './passkey-host.ts'
import { verifyPasskey } from './verify-passkey.ts'

const timeoutMs = 5 * 60 * 1000

/** Without `credentials`, the browser offers every passkey it has for this host. */
export async function createPasskeyOptions(
  services: Services,
  purpose: ChallengePurpose,
  credentials?: { id: string; transports: string[] }[],
): Promise<PasskeyOptions> {
  const { rpId } = requirePasskeyHost(services)
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge: createChallenge(services, purpose),
    userVerification: 'required',
    timeout: timeoutMs,
    ...(credentials && { allowCredentials: credentials as never }),
  })
  return { rpId, options: { ...options } }
}

/** @throws Problem 403 for a wrong or unknown passkey, 429 after too many failures from one address */
export async function signInWithPasskey(
  services: Services,
  response: PasskeyResponse,
  address: string,
  device: string | null,
): Promise<SignInResult> {
  const throttle = {
    kind: 'passkey-sign-in',
    limit: services.settings.limits.signInPerAddress,
    windowMs: 15 * 60 * 1000,
  }
  const { count, waitSeconds } = await readAttempts(services, throttle, address)
  if (count >= throttle.limit) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
  try {
    const { row, write } = await verifyPasskey(services, 'sign-in', response)
    const account = await services.db
      .selectFrom('people')
      .selectAll()
      .where('id', '=', row.person_id)
      .executeTakeFirstOrThrow()
    requireOpenAccount(services, account)
    const user = { id: account.id, name: account.name, nickname: account.nickname, email: account.email }
    return await openSession(services, user, {
      method: 'passkey',
      device,
      passwordHash: account.password_hash,
      extraWrites: [
        write,
        insertAudit(services, { action: 'signed-in', actor: user, personId: user.id, details: { method: 'passkey' } }),
      ],
    })
  } catch (error) {
    if (error instanceof Problem) await countAttempts(services, throttle, address)
    throw error instanceof UnexpectedChanges ? new Problem('passkey-refused') : error
  }
}
