import { type SqlBool, sql } from 'kysely'
import type { SignInResult, User } from '#contract/accounts/accounts.ts'
import type { AccountSession } from '#contract/accounts/own-account.ts'
import type { SessionMethod } from '#contract/accounts/session-methods.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { batchSize, requireChanges, type Write, writeInBatches } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { newToken } from '#server/values/token.ts'
import type { Person } from './person.ts'
import { forgetDevices } from './second-factor/remembered-devices.ts'

/** The sign-in at the identity provider that opens a session. */
export interface ProviderSignIn {
  identityId: string
  /** The provider's own session, if it named one. */
  providerSession: string | null
  /** When the person signed in there (ms), which can be long ago; `null`: unknown. */
  provedAt: number | null
}

interface SessionOptions {
  method?: SessionMethod
  /** Without its `provedAt`, the session counts as proved now. */
  provider?: ProviderSignIn
  device?: string | null
  extraWrites?: readonly Write[]
  passwordHash?: string
}

/** @throws Problem 401 for an account that is being deleted, 403 for a deactivated one */
export function requireOpenAccount(
  services: Pick<Services, 'now'>,
  account: { deletes_at: number | null; deactivated_at: number | null },
): void {
  if (account.deletes_at !== null && account.deletes_at <= services.now().getTime())
    throw new Problem('wrong-credentials')
  if (account.deactivated_at !== null) throw new Problem('account-deactivated')
}

/** Also writes `extraWrites`. @throws UnexpectedChanges if the password changed or the account is closed */
export async function openSession(
  services: Services,
  user: User,
  { extraWrites = [], ...options }: SessionOptions = {},
): Promise<SignInResult> {
  const { signInResult, writes } = buildSession(services, user, options)
  await services.db.batch([...writes, ...extraWrites])
  services.live.publish(user.id, { type: 'account-changed' })
  return signInResult
}

export function buildSession(
  services: Services,
  user: User,
  { method = 'password', provider, device = null, passwordHash }: Omit<SessionOptions, 'extraWrites'> = {},
): { signInResult: SignInResult; writes: Write[] } {
  const { db, newId, now: clock } = services
  const { token, hash } = newToken()
  const now = clock().getTime()
  const expiresAt = getSessionEnd(services, { created_at: now, age_counted_from: null }, now)
  const updateLastSignIn = db.updateTable('people').set({ last_sign_in_at: now }).where('id', '=', user.id)
  const times = { created_at: now, last_seen_at: now, expires_at: expiresAt }
  return {
    signInResult: { user, token, expiresAt: new Date(expiresAt).toISOString() },
    // The row of the person comes first: a concurrent password change either fails this write or ends this session.
    writes: [
      passwordHash === undefined
        ? updateLastSignIn
        : requireChanges(
            updateLastSignIn.where('password_hash', '=', passwordHash).where('deactivated_at', 'is', null),
          ),
      db.insertInto('sessions').values({
        id: newId(),
        person_id: user.id,
        token_hash: hash,
        ...times,
        device,
        method,
        proved_at: provider?.provedAt ?? now,
        identity_id: provider?.identityId ?? null,
        provider_session: provider?.providerSession ?? null,
      }),
      db.deleteFrom('sessions').where('person_id', '=', user.id).where('expires_at', '<', now),
    ],
  }
}

export async function sweepSessions({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const expiredIds = sql`select id from sessions where expires_at < ${now().getTime()} limit ${batchSize}`
  await writeInBatches(db, sql`delete from sessions where id in (${expiredIds})`)
}

export async function endSession(services: Services, person: Pick<Person, 'id' | 'sessionId'>): Promise<void> {
  await services.db.batch([
    services.db.deleteFrom('sessions').where('id', '=', person.sessionId),
    insertAudit(services, { action: 'session-ended', actor: person, personId: person.id }),
  ])
  publishSessionEnd(services, person, person.sessionId)
}

/** Ends one of the person's sessions, possibly the current one. @throws Problem 404 for an unknown id or another person's */
export async function endSessionById(services: Services, person: Person, id: string): Promise<void> {
  const isDeleted = await services.db.batchUnlessChanged([
    requireChanges(services.db.deleteFrom('sessions').where('id', '=', id).where('person_id', '=', person.id)),
    insertAudit(services, { action: 'session-ended', actor: person, personId: person.id }),
  ])
  if (!isDeleted) throw new Problem('not-found', { message: 'Session not found' })
  publishSessionEnd(services, person, id)
}

function publishSessionEnd(services: Services, person: Pick<Person, 'id'>, sessionId: string): void {
  services.sessions.forgetSession(sessionId)
  services.live.publish(person.id, { type: 'session-ended' })
  services.live.publish(person.id, { type: 'account-changed' })
}

export async function signOutOtherSessions(services: Services, person: Person): Promise<void> {
  const { db } = services
  const otherSessions = db
    .selectFrom('sessions')
    .select('id')
    .where('person_id', '=', person.id)
    .where('id', '!=', person.sessionId)
  if (!(await db.exists(otherSessions))) return
  const auditEntry = insertAudit(services, { action: 'signed-out-everywhere', actor: person, personId: person.id })
  await endOtherSessions(services, person.id, person.sessionId, [auditEntry])
}

/** Also forgets devices that need no code. Resolves to false, with nothing written, if a row that `extraWrites` require has changed. */
export async function endOtherSessions(
  services: Services,
  personId: string,
  currentSessionId: string | null,
  extraWrites: readonly Write[],
): Promise<boolean> {
  let deleteSessions = services.db.deleteFrom('sessions').where('person_id', '=', personId)
  if (currentSessionId !== null) deleteSessions = deleteSessions.where('id', '!=', currentSessionId)
  if (!(await services.db.batchUnlessChanged([...extraWrites, deleteSessions, forgetDevices(services, personId)])))
    return false
  services.sessions.evictPerson(personId)
  services.live.publish(personId, { type: 'session-ended' })
  if (currentSessionId !== null) services.live.publish(personId, { type: 'account-changed' })
  return true
}

const maxListedSessions = 1000

export async function listSessions(
  services: Services,
  personId: string,
  currentSessionId: string | null,
): Promise<AccountSession[]> {
  const rows = await services.db
    .selectFrom('sessions')
    .select(['id', 'device', 'method', 'created_at', 'age_counted_from', 'last_seen_at', 'expires_at'])
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
      method: row.method,
      current: row.id === currentSessionId,
    }))
    .sort((one, other) => Number(other.current) - Number(one.current))
}

const idleLifetimeMs = 30 * dayMs

type SessionTimes = { created_at: number; age_counted_from: number | null }

/** End of a session used at `now` (ms): after 30 idle days or at its maximum age, whichever is first. */
export function getSessionEnd({ settings }: Pick<Services, 'settings'>, times: SessionTimes, now: number): number {
  const { sessionDays } = settings
  const idleEnd = now + idleLifetimeMs
  return sessionDays === 0
    ? idleEnd
    : Math.min(idleEnd, (times.age_counted_from ?? times.created_at) + sessionDays * dayMs)
}

/** SQL condition: not expired at `now` (ms), even if the maximum age was shortened since. */
function whereSessionActive({ settings }: Pick<Services, 'settings'>, now: number) {
  const unexpired = sql<SqlBool>`sessions.expires_at > ${now}`
  const { sessionDays } = settings
  if (sessionDays === 0) return unexpired
  const ageStart = sql`coalesce(sessions.age_counted_from, sessions.created_at)`
  return sql<SqlBool>`(${unexpired} and ${ageStart} > ${now - sessionDays * dayMs})`
}

export function selectActiveSessions({ db, settings }: Pick<Services, 'db' | 'settings'>, now: number) {
  return (
    db
      .selectFrom('sessions')
      .innerJoin('people', 'people.id', 'sessions.person_id')
      .where(whereSessionActive({ settings }, now))
      .where('people.deactivated_at', 'is', null)
      // The account is over even if the sweep hasn't deleted it yet.
      .where((where) => where.or([where('people.deletes_at', 'is', null), where('people.deletes_at', '>', now)]))
  )
}

const recheckMs = 30_000

/** Ends a stream when its session ends or is locked; if it can't be looked up, the stream goes on. Returns a disposer. */
export function watchSession(
  services: Services,
  person: Pick<Person, 'id' | 'sessionId'> | null,
  onEnd: (reason: 'session-ended' | 'session-locked') => void,
): () => void {
  if (!person) return () => undefined
  const { now, log } = services
  const check = async () => {
    try {
      const session = await selectActiveSessions(services, now().getTime())
        .select('sessions.locked_at')
        .where('sessions.id', '=', person.sessionId)
        .executeTakeFirst()
      if (!session) onEnd('session-ended')
      else if (session.locked_at !== null) onEnd('session-locked')
    } catch (error) {
      log.warn({ err: error }, 'could not check whether a session is still active')
    }
  }
  return watchAccess(services, person.id, check)
}

/** Runs `check` every 30 seconds and whenever a session of the person ends or is locked. Returns a disposer. */
export function watchAccess({ live }: Services, personId: string, check: () => Promise<void>): () => void {
  const recheck = setInterval(check, recheckMs)
  recheck.unref()
  const unsubscribe = live.subscribe(
    personId,
    ({ type }) => {
      if (type === 'session-ended' || type === 'session-locked') void check()
    },
    () => void check(),
  )
  return () => {
    clearInterval(recheck)
    unsubscribe()
  }
}

const browsers: readonly [RegExp, string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const maxUserAgentLength = 512

export function parseDevice(userAgent: string | null): string | null {
  const text = userAgent?.slice(0, maxUserAgentLength) ?? ''
  const findName = (patterns: typeof browsers) => patterns.find(([pattern]) => pattern.test(text))?.[1]
  const browser = findName(browsers)
  if (!browser) return null
  const system = findName(systems)
  return system ? `${browser} on ${system}` : browser
}
