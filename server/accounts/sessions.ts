import { sql } from 'kysely'
import type { SignInResult, User } from '#contract/accounts/accounts.ts'
import type { AccountSession } from '#contract/accounts/own-account.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { batchSize, writeInBatches } from '#server/db/write-in-batches.ts'
import type { Services } from '#server/services.ts'
import { newToken } from '#server/values/token.ts'
import { getSessionEnd, whereSessionActive } from './active-sessions.ts'
import type { Person } from './person.ts'

interface SessionOptions {
  device?: string | null
  extraWrites?: readonly Write[]
  passwordHash?: string
}

/** Also writes `extraWrites`. @throws UnexpectedChanges if the password changed or the account is closed */
export async function openSession(
  services: Services,
  user: User,
  { device = null, extraWrites = [], passwordHash }: SessionOptions = {},
): Promise<SignInResult> {
  const { signInResult, writes } = buildSession(services, user, device, passwordHash)
  await services.db.batch([...writes, ...extraWrites])
  services.live.publish(user.id, { type: 'account-changed' })
  return signInResult
}

export function buildSession(
  services: Services,
  user: User,
  device: string | null,
  passwordHash?: string,
): { signInResult: SignInResult; writes: Write[] } {
  const { db, newId, now: clock } = services
  const { token, hash } = newToken()
  const now = clock().getTime()
  const expiresAt = getSessionEnd(services, { created_at: now, age_counted_from: null }, now)
  const updateLastSignIn = db.updateTable('people').set({ last_sign_in_at: now }).where('id', '=', user.id)
  const times = { created_at: now, last_seen_at: now, expires_at: expiresAt }
  return {
    signInResult: { user, token, expiresAt: new Date(expiresAt).toISOString() },
    // The person first: a concurrent password change either fails this write or ends this session.
    writes: [
      passwordHash === undefined
        ? updateLastSignIn
        : requireChanges(
            updateLastSignIn.where('password_hash', '=', passwordHash).where('deactivated_at', 'is', null),
          ),
      db.insertInto('sessions').values({ id: newId(), person_id: user.id, token_hash: hash, ...times, device }),
      db.deleteFrom('sessions').where('person_id', '=', user.id).where('expires_at', '<', now),
    ],
  }
}

export async function sweepSessions({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const expired = sql`select id from sessions where expires_at < ${now().getTime()} limit ${batchSize}`
  await writeInBatches(db, sql`delete from sessions where id in (${expired})`)
}

export async function endSession(services: Services, person: Pick<Person, 'id' | 'sessionId'>): Promise<void> {
  await services.db.batch([
    services.db.deleteFrom('sessions').where('id', '=', person.sessionId),
    insertAudit(services, { action: 'session-ended', actor: person, personId: person.id }),
  ])
  services.sessions.forgetSession(person.sessionId)
  services.live.publish(person.id, { type: 'session-ended' })
  services.live.publish(person.id, { type: 'account-changed' })
}

export async function endOtherSessions(
  services: Services,
  personId: string,
  currentSessionId: string | null,
  extraWrites: readonly Write[] = [],
): Promise<void> {
  let deletedSessions = services.db.deleteFrom('sessions').where('person_id', '=', personId)
  if (currentSessionId !== null) deletedSessions = deletedSessions.where('id', '!=', currentSessionId)
  await services.db.batch([...extraWrites, deletedSessions])
  services.sessions.forgetPerson(personId)
  services.live.publish(personId, { type: 'session-ended' })
  if (currentSessionId !== null) services.live.publish(personId, { type: 'account-changed' })
}

const maxListedSessions = 1000

export async function listSessions(
  services: Services,
  personId: string,
  currentSessionId: string | null,
): Promise<AccountSession[]> {
  const rows = await services.db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'age_counted_from', 'last_seen_at', 'expires_at'])
    .where('person_id', '=', personId)
    .where(whereSessionActive(services, services.now().getTime()))
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListedSessions)
    .execute()
  return rows
    .map((row) => ({
      id: row.id,
      createdAt: new Date(row.created_at).toISOString(),
      lastSeenAt: new Date(row.last_seen_at).toISOString(),
      expiresAt: new Date(Math.min(row.expires_at, getSessionEnd(services, row, row.last_seen_at))).toISOString(),
      device: row.device,
      current: row.id === currentSessionId,
    }))
    .sort((one, other) => Number(other.current) - Number(one.current))
}
