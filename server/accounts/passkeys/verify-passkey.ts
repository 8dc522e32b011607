import type { PasskeyResponse } from '#contract/accounts/passkey-messages.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { emailAboutSecurity } from '../mailer.ts'
import { type ChallengePurpose, redeemChallenge } from './challenges.ts'
import { getExpectedOrigin, requirePasskeyHost } from './passkey-host.ts'
import { type PasskeyRow, toPasskeyProblem } from './passkeys.ts'

interface VerifiedPasskey {
  row: PasskeyRow
  /** Records the use; fails with UnexpectedChanges if the passkey was removed or used concurrently. */
  write: Write
}

/** Checks a passkey's answer, with the PIN or biometrics required. @throws Problem 403 `passkey-unknown`, `passkey-refused` */
export async function verifyPasskey(
  services: Services,
  purpose: ChallengePurpose,
  response: PasskeyResponse,
  personId?: string,
): Promise<VerifiedPasskey> {
  const host = requirePasskeyHost(services)
  const match = await services.db
    .selectFrom('passkeys')
    .innerJoin('people', 'people.id', 'passkeys.person_id')
    .selectAll('passkeys')
    .select('people.passkey_user_id')
    .where('credential_id', '=', response.id)
    .where('rp_id', '=', host.rpId)
    .$if(personId !== undefined, (rows) => rows.where('person_id', '=', personId ?? ''))
    .executeTakeFirst()
  if (!match) throw new Problem('passkey-unknown')
  const { passkey_user_id: userId, ...row } = match
  const { userHandle } = response.response
  // At sign-in only the handle says whose passkey it is; a handle of someone else is forged.
  const isHandleMissing = userHandle === undefined && personId === undefined
  const isHandleForged = userHandle !== undefined && userHandle !== userId
  if (isHandleMissing || isHandleForged) throw new Problem('passkey-refused')
  const info = await checkSignature(services, host, purpose, response, row)
  await refuseRegressedCounter(services, row, info.newCounter)
  const update = services.db
    .updateTable('passkeys')
    .set({
      // Devices that share a synced passkey count separately, so its counter means nothing.
      counter: row.is_synced ? 0 : info.newCounter,
      is_backed_up: info.credentialBackedUp,
      last_used_at: services.now().getTime(),
    })
    .where('id', '=', row.id)
    .where('counter', '=', row.counter)
  return { row, write: requireChanges(update) }
}

async function checkSignature(
  services: Services,
  host: ReturnType<typeof requirePasskeyHost>,
  purpose: ChallengePurpose,
  response: PasskeyResponse,
  row: PasskeyRow,
) {
  const { authenticatorData, signature, clientDataJSON, userHandle } = response.response
  if (authenticatorData === undefined || signature === undefined) throw new Problem('passkey-refused')
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: response.id,
        rawId: response.rawId,
        type: response.type,
        clientExtensionResults: {},
        response: { authenticatorData, signature, clientDataJSON, ...(userHandle !== undefined && { userHandle }) },
      },
      expectedChallenge: (challenge) => redeemChallenge(services, purpose, challenge),
      expectedOrigin: getExpectedOrigin(host, clientDataJSON),
      expectedRPID: host.rpId,
      credential: {
        id: row.credential_id,
        publicKey: Uint8Array.from(Buffer.from(row.public_key, 'base64url')),
        // Compared by `refuseRegressedCounter`, which also warns the person.
        counter: 0,
      },
      requireUserVerification: true,
    })
    if (!verified) throw new Error('the signature does not match')
    return authenticationInfo
  } catch (error) {
    if (error instanceof Problem) throw error
    services.log.info({ err: error }, 'a passkey was refused')
    throw toPasskeyProblem(error)
  }
}

/** A counter that doesn't grow means that the key of this device was copied. */
async function refuseRegressedCounter(services: Services, row: PasskeyRow, newCounter: number): Promise<void> {
  if (row.is_synced || newCounter > row.counter || (newCounter === 0 && row.counter === 0)) return
  services.log.warn({ passkeyId: row.id }, 'a passkey of one device reported an old counter: its key may be copied')
  const actor = { id: row.person_id }
  await services.db.batch([insertAudit(services, { action: 'passkey-copy-suspected', actor, personId: actor.id })])
  await emailAboutSecurity(services, row.person_id, {
    subject: 'A passkey of your Keeper account may have been copied',
    text: `The passkey "${row.name}" was refused because its use counter went backwards, as if a copy were in use. If you use it on one device only, someone may have a copy. Remove it and create a new one.`,
  })
  throw new Problem('passkey-refused')
}
