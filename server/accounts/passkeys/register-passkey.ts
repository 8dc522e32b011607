import { randomBytes } from 'node:crypto'
import type { PasskeyOptions, PasskeyResponse } from '#contract/accounts/passkey-messages.ts'
import { maxPasskeys, type Passkey } from '#contract/accounts/passkeys.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { json } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import type { Person } from '../person.ts'
import { emailAboutSecurity } from '../security-email.ts'
import { createChallenge, redeemChallenge } from './challenges.ts'
import { getExpectedOrigin, requirePasskeyHost } from './passkey-host.ts'
import { suggestPasskeyName } from './passkey-managers.ts'
import { fetchPasskeys, toPasskey, toPasskeyProblem } from './passkeys.ts'

/** EdDSA, ES256 and RS256: every supported Node can verify them. */
const algorithms = [-8, -7, -257]

const throttle = { kind: 'passkey-registration', limit: 30, windowMs: hourMs }

const toPurpose = (person: Person) => `register ${person.id} ${person.sessionId}` as const

/** @throws Problem 422 without a host name, 409 at the maximum */
export async function createRegistrationOptions(services: Services, person: Person): Promise<PasskeyOptions> {
  const { rpId } = requirePasskeyHost(services)
  await requireAttempt(services, throttle, person.id)
  const rows = await fetchPasskeys(services, person.id)
  requireSpaceForPasskey(rows.length)
  const userId = await getPasskeyUserId(services, person.id)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Keeper',
    rpID: rpId,
    userID: Uint8Array.from(Buffer.from(userId, 'base64url')),
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    challenge: createChallenge(services, toPurpose(person)),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: rows
      .filter((row) => row.rp_id === rpId)
      .map(({ credential_id: id, transports }) => ({ id, transports: transports as never })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: 5 * 60 * 1000,
  })
  return { rpId, options: { ...options } }
}

function requireSpaceForPasskey(count: number): void {
  if (count < maxPasskeys) return
  throw new Problem('conflict', { message: `You have ${maxPasskeys} passkeys. Remove one first.` })
}

/** Random and permanent: authenticators replace a passkey only if the id stays, and show it to anyone who has the device. */
async function getPasskeyUserId({ db }: Services, personId: string): Promise<string> {
  await db
    .updateTable('people')
    .set({ passkey_user_id: randomBytes(32).toString('base64url') })
    .where('id', '=', personId)
    .where('passkey_user_id', 'is', null)
    .execute()
  const { passkey_user_id: userId } = await db
    .selectFrom('people')
    .select('passkey_user_id')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  return userId as string
}

/** @throws Problem 403 `passkey-refused`, 409 if it exists or at the maximum */
export async function registerPasskey(
  services: Services,
  person: Person,
  input: { name?: string | undefined; response: PasskeyResponse },
  device: string | null,
): Promise<Passkey> {
  const host = requirePasskeyHost(services)
  await requireAttempt(services, throttle, person.id)
  requireSpaceForPasskey((await fetchPasskeys(services, person.id)).length)
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = await verifyRegistration(
    services,
    host,
    person,
    input.response,
  )
  const row = {
    id: services.newId(),
    person_id: person.id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credentialDeviceType === 'multiDevice' ? 0 : credential.counter,
    aaguid,
    is_synced: credentialDeviceType === 'multiDevice',
    is_backed_up: credentialBackedUp,
    rp_id: host.rpId,
    name: input.name ?? suggestPasskeyName(aaguid, device),
    created_at: services.now().getTime(),
    last_used_at: null,
  }
  const transports = input.response.response.transports ?? []
  try {
    await services.db.batch([
      services.db.insertInto('passkeys').values({ ...row, transports: json(transports) }),
      insertAudit(services, { action: 'passkey-added', actor: person, personId: person.id }),
    ])
  } catch (error) {
    if (error instanceof UniqueViolation) throw new Problem('conflict', { message: 'This passkey is already saved.' })
    throw error
  }
  services.live.publish(person.id, { type: 'account-changed' })
  await emailAboutSecurity(services, person.id, {
    subject: 'A passkey was added to your Keeper account',
    text: `The passkey "${row.name}" can now sign in to your Keeper account.`,
  })
  return toPasskey({ ...row, transports }, host.rpId)
}

async function verifyRegistration(
  services: Services,
  host: ReturnType<typeof requirePasskeyHost>,
  person: Person,
  response: PasskeyResponse,
) {
  const { attestationObject, clientDataJSON, transports = [] } = response.response
  if (attestationObject === undefined) throw new Problem('passkey-refused')
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: response.id,
        rawId: response.rawId,
        type: response.type,
        clientExtensionResults: {},
        response: { attestationObject, clientDataJSON, transports: transports as never },
      },
      expectedChallenge: (challenge) => redeemChallenge(services, toPurpose(person), challenge),
      expectedOrigin: getExpectedOrigin(host, clientDataJSON),
      expectedRPID: host.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified || !registrationInfo) throw new Error('the registration does not match')
    return registrationInfo
  } catch (error) {
    services.log.info({ err: error }, 'a passkey registration was refused')
    const message = 'This passkey couldn’t be saved. Try again, or use another device or password manager.'
    throw toPasskeyProblem(error, message)
  }
}
