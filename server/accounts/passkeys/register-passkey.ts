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
import { emailAboutSecurity } from '../mailer.ts'
import type { Person } from '../person.ts'
import { createChallenge, redeemChallenge } from './challenges.ts'
import { getExpectedOrigin, requirePasskeyHost } from './passkey-host.ts'
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

/**
 * Names of common password managers and platforms by their AAGUID, which authenticators report at registration. From
 * github.com/passkeydeveloper/passkey-authenticator-aaguids; "Keeper" there is another product.
 */
const managerNames: Readonly<Record<string, string>> = {
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6': 'Keeper Security',
  '50726f74-6f6e-5061-7373-50726f746f6e': 'Proton Pass',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  '771b48fd-d3d4-4f74-9232-fc157ab0507a': 'Edge on Mac',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  'a11a5faa-9f32-4b8c-8c5d-2f7d13e8c942': 'AliasVault',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  'b35a26b2-8f6e-4697-ab1d-d44db4da28c6': 'Zoho Vault',
  'b5397666-4885-aa6b-cebf-e52262a439a2': 'Chromium',
  'b78a0a55-6ef8-d246-a042-ba0f6d55050c': 'LastPass',
  'b84e4048-15dc-4dd0-8640-f4f60813c8af': 'NordPass',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd3452668-01fd-4c12-926c-83a4204853aa': 'Microsoft Password Manager',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'de503f9c-21a4-4f76-b4b7-558eb55c6f89': 'Devolutions',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'eaecdef2-1c31-5634-8639-f1cbd9c00a08': 'KeePassDX',
  'f3809540-7f14-49c1-a8b3-8f813b225541': 'Enpass',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'Apple Passwords',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
}

/** The name until the person renames the passkey: its manager, or the browser it was created in. */
function suggestPasskeyName(aaguid: string, device: string | null): string {
  return managerNames[aaguid] ?? device ?? 'Passkey'
}
