import type { RememberedDevice } from '#contract/accounts/second-factor.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { hashToken, newToken } from '#server/values/token.ts'
import type { Person } from '../person.ts'

const lifetimeMs = 30 * dayMs
/** Older devices are forgotten. */
const maxDevices = 20

/** A token that replaces codes on one device. It proves no second factor: the session counts as one factor. */
export function rememberDevice(
  { db, newId, now: clock }: Services,
  personId: string,
  device: string | null,
): { token: string; writes: Write[] } {
  const { token, hash } = newToken()
  const now = clock().getTime()
  const newestIds = db
    .selectFrom('remembered_devices')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxDevices - 1)
  return {
    token,
    writes: [
      db.deleteFrom('remembered_devices').where('person_id', '=', personId).where('id', 'not in', newestIds),
      db.insertInto('remembered_devices').values({
        id: newId(),
        person_id: personId,
        token_hash: hash,
        device,
        created_at: now,
        expires_at: now + lifetimeMs,
      }),
    ],
  }
}

export function isRememberedDevice({ db, now }: Services, personId: string, token: string): Promise<boolean> {
  return db.exists(
    db
      .selectFrom('remembered_devices')
      .select('id')
      .where('token_hash', '=', hashToken(token))
      .where('person_id', '=', personId)
      .where('expires_at', '>', now().getTime()),
  )
}

/** Part of every change that makes earlier sign-ins worthless, such as a new password. */
export function forgetDevices({ db }: Pick<Services, 'db'>, personId: string): Write {
  return db.deleteFrom('remembered_devices').where('person_id', '=', personId)
}

export async function listRememberedDevices(
  { db, now }: Services,
  person: Pick<Person, 'id'>,
): Promise<RememberedDevice[]> {
  const rows = await db
    .selectFrom('remembered_devices')
    .select(['id', 'device', 'created_at', 'expires_at'])
    .where('person_id', '=', person.id)
    .where('expires_at', '>', now().getTime())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxDevices)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  }))
}

/** @throws Problem 404 for an unknown id or another person's */
export async function forgetDevice(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const isForgotten = await db.batchUnlessChanged([
    requireChanges(db.deleteFrom('remembered_devices').where('id', '=', id).where('person_id', '=', person.id)),
    insertAudit(services, { action: 'session-ended', actor: person, personId: person.id }),
  ])
  if (!isForgotten) throw new Problem('not-found', { message: 'Device not found' })
  services.live.publish(person.id, { type: 'account-changed' })
}

export async function sweepRememberedDevices({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.deleteFrom('remembered_devices').where('expires_at', '<', now().getTime()).execute()
}
