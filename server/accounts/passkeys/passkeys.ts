import { type Selectable, sql } from 'kysely'
import type { Passkey, PasskeyList } from '#contract/accounts/passkeys.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { SignInSchema } from '#server/db/sign-in-schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { emailAboutSecurity } from '../mailer.ts'
import { lockPerson } from '../one-time-link.ts'
import type { Person } from '../person.ts'
import { buildOtherSignInCondition } from '../sign-in-methods.ts'
import { findPasskeyHost, findRpId } from './passkey-host.ts'

export type PasskeyRow = Selectable<SignInSchema['passkeys']>

export function fetchPasskeys({ db }: Services, personId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Whether the person has a passkey that works on this host. */
export async function hasUsablePasskey(services: Services, personId: string): Promise<boolean> {
  const rpId = findRpId(services)
  return (await fetchPasskeys(services, personId)).some((row) => row.rp_id === rpId)
}

export function toPasskey(row: PasskeyRow, rpId: string | null): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: toIsoTimeOrNull(row.last_used_at),
    isSynced: row.is_synced,
    isBackedUp: row.is_backed_up,
    worksHere: row.rp_id === rpId,
  }
}

export async function listPasskeys(services: Services, person: Person): Promise<PasskeyList> {
  const host = findPasskeyHost(services)
  const rpId = findRpId(services)
  const rows = await fetchPasskeys(services, person.id)
  return {
    passkeys: rows.map((row) => toPasskey(row, rpId)),
    rpId,
    unavailable: typeof host === 'string' ? host : null,
  }
}

/** Security keys without a PIN fail here. Trying again doesn't help, and neither does another key of that kind. */
export function toPasskeyProblem(error: unknown, message?: string): Problem {
  const isUnverified = error instanceof Error && error.message.startsWith('User verification')
  const text = isUnverified
    ? 'Your device didn’t check a PIN, fingerprint or face, and Keeper needs that. Set one up on the device, then try again.'
    : message
  return new Problem('passkey-refused', { ...(text && { message: text }), cause: error })
}

const createPasskeyNotFoundProblem = () => new Problem('not-found', { message: 'Passkey not found' })

export async function renamePasskey(services: Services, person: Person, id: string, name: string): Promise<Passkey> {
  const isRenamed = await services.db.batchUnlessChanged([
    requireChanges(
      services.db.updateTable('passkeys').set({ name }).where('id', '=', id).where('person_id', '=', person.id),
    ),
    insertAudit(services, { action: 'passkey-renamed', actor: person, personId: person.id }),
  ])
  if (!isRenamed) throw createPasskeyNotFoundProblem()
  services.live.publish(person.id, { type: 'account-changed' })
  const { passkeys } = await listPasskeys(services, person)
  const renamed = passkeys.find((passkey) => passkey.id === id)
  if (!renamed) throw createPasskeyNotFoundProblem()
  return renamed
}

/** Returns the remaining passkeys, to which browsers reduce their own list. @throws Problem 404; 409 for the last way in */
export async function removePasskey(services: Services, person: Person, id: string) {
  const row = (await fetchPasskeys(services, person.id)).find((passkey) => passkey.id === id)
  if (!row) throw createPasskeyNotFoundProblem()
  const { db } = services
  const isRemoved = await db.batchUnlessChanged([
    ...lockPerson(services, person.id),
    requireChanges(
      db
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('person_id', '=', person.id)
        .where(buildOtherSignInCondition(services, person.id, { passkeyFilter: sql`passkeys.id <> ${id}` })),
    ),
    insertAudit(services, { action: 'passkey-removed', actor: person, personId: person.id }),
  ])
  if (!isRemoved) {
    const isStillThere = (await fetchPasskeys(services, person.id)).some((passkey) => passkey.id === id)
    if (!isStillThere) throw createPasskeyNotFoundProblem()
    throw new Problem('conflict', {
      message: 'This is the only way you can sign in. Set a password or add another passkey first.',
    })
  }
  services.live.publish(person.id, { type: 'account-changed' })
  await emailAboutSecurity(services, person.id, {
    subject: 'A passkey was removed from your Keeper account',
    text: `The passkey "${row.name}" can no longer sign in to your Keeper account.`,
  })
  const remaining = (await fetchPasskeys(services, person.id)).filter(({ rp_id }) => rp_id === row.rp_id)
  const { passkey_user_id: userId } = await db
    .selectFrom('people')
    .select('passkey_user_id')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return { rpId: row.rp_id, userId, credentialIds: remaining.map(({ credential_id }) => credential_id) }
}
