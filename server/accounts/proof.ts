import type { PasskeyOptions, PasskeyResponse } from '#contract/accounts/passkey-messages.ts'
import type { ProofMethods } from '#contract/accounts/second-factor.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import type { Write } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { canProveWithProvider } from './oidc/identities.ts'
import { findOidcSettings } from './oidc/provider.ts'
import { requirePasskeyHost } from './passkeys/passkey-host.ts'
import { fetchPasskeys, hasUsablePasskey } from './passkeys/passkeys.ts'
import { createPasskeyOptions } from './passkeys/sign-in-with-passkey.ts'
import { verifyPasskey } from './passkeys/verify-passkey.ts'
import { requireCurrentPassword } from './password.ts'
import type { Person } from './person.ts'
import { buildProofWrite, type ProofFactor } from './recent-proof.ts'
import { isSecondFactorEnabled } from './second-factor/second-factor.ts'
import { verifyCode } from './second-factor/verify-code.ts'
import { personHasPassword } from './sign-in-methods.ts'

export async function listProofMethods(services: Services, person: Person): Promise<ProofMethods> {
  return {
    password: await personHasPassword(services, person.id),
    passkey: await hasUsablePasskey(services, person.id),
    code: await isSecondFactorEnabled(services, person.id),
    provider: (await canProveWithProvider(services, person)) ? (findOidcSettings(services)?.label ?? null) : null,
  }
}

/** The purpose of a passkey challenge that proves or unlocks this session. */
export const toProofPurpose = (person: Person) => `prove ${person.sessionId}` as const

export async function createProofOptions(services: Services, person: Person): Promise<PasskeyOptions> {
  const { rpId } = requirePasskeyHost(services)
  const passkeys = (await fetchPasskeys(services, person.id)).filter((row) => row.rp_id === rpId)
  if (passkeys.length === 0) throw new Problem('unprocessable', { message: 'You have no passkey for this server.' })
  const credentials = passkeys.map(({ credential_id: id, transports }) => ({ id, transports }))
  return createPasskeyOptions(services, toProofPurpose(person), credentials)
}

const passkeyThrottle = { kind: 'passkey-proof', limit: 20, windowMs: 15 * 60 * 1000 }

/** Proves the session with one factor. @throws Problem 400 for a wrong password or code, 403 for a wrong passkey, 429 after too many */
export async function proveSession(
  services: Services,
  person: Person,
  input: { password?: string | undefined; code?: string | undefined; passkey?: PasskeyResponse | undefined },
): Promise<{ provedAt: string }> {
  const factors = [input.password, input.code, input.passkey].filter((value) => value !== undefined)
  if (factors.length !== 1) throw badField('password', 'Send exactly one of password, code and passkey.')
  const extraWrites: Write[] = []
  let factor: ProofFactor = 'password'
  if (input.password !== undefined) await requireCurrentPassword(services, person, 'password', input.password)
  else if (input.code !== undefined) factor = await verifyCode(services, person.id, input.code)
  else if (input.passkey !== undefined) {
    factor = 'passkey'
    await requireAttempt(services, passkeyThrottle, person.id)
    extraWrites.push((await verifyPasskey(services, toProofPurpose(person), input.passkey, person.id)).write)
  }
  await services.db.batch([
    ...extraWrites,
    buildProofWrite(services, person, factor),
    insertAudit(services, {
      action: 'identity-confirmed',
      actor: person,
      personId: person.id,
      details: { method: factor },
    }),
  ])
  services.sessions.forgetSession(person.sessionId)
  return { provedAt: services.now().toISOString() }
}
