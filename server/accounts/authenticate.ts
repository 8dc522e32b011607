import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import { isTwoFactorMethod } from '#contract/accounts/session-methods.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/values/token.ts'
import type { Person } from './person.ts'
import { readSignInPolicy } from './second-factor/sign-in-policy.ts'
import { getSessionEnd, selectActiveSessions } from './sessions.ts'

const lastSeenIntervalMs = 5 * 60 * 1000

/** The person a token belongs to; null for an unknown or expired session or a closed account. */
export async function authenticate(services: Services, token: string): Promise<Person | null> {
  const hash = hashToken(token)
  const now = services.now().getTime()
  const cached = services.sessions.find(hash, now)
  if (cached) return cached
  const { generation } = services.sessions
  const session = await selectActiveSessions(services, now)
    .select([
      'sessions.id as session_id',
      'sessions.expires_at',
      'sessions.last_seen_at',
      'sessions.created_at',
      'sessions.age_counted_from',
      'sessions.method',
      'sessions.proved_at',
      'sessions.locked_at',
      'people.id',
      'people.email',
      'people.name',
      'people.nickname',
      'people.deletes_at',
    ])
    .where('sessions.token_hash', '=', hash)
    .executeTakeFirst()
  if (!session) return null
  const grants = await services.db
    .selectFrom('role_grants')
    .select('role')
    .where('person_id', '=', session.id)
    .execute()
  const end = getSessionEnd(services, session, now)
  let expiresAt = Math.min(session.expires_at, end)
  if (now - session.last_seen_at > lastSeenIntervalMs) {
    try {
      await services.db
        .updateTable('sessions')
        .set({ last_seen_at: now, expires_at: end })
        .where('id', '=', session.session_id)
        .execute()
      expiresAt = end
    } catch (error) {
      // Reads must work on a full disk, too; a later call updates it.
      services.log.warn({ err: error }, 'the last use of a session could not be saved')
    }
  }
  const roles = grants.map((grant) => grant.role)
  const secondFactorMissing =
    roles.length > 0 &&
    !isTwoFactorMethod(session.method) &&
    (await readSignInPolicy(services)).administratorsNeedTwoFactors
  const person: Person = {
    id: session.id,
    email: session.email,
    name: session.name && toDisplayLine(session.name),
    nickname: session.nickname && toDisplayLine(session.nickname),
    roles,
    permissions: getRolePermissions(secondFactorMissing ? [] : roles),
    sessionId: session.session_id,
    sessionExpiresAt: expiresAt,
    sessionMethod: session.method,
    provedAt: session.proved_at,
    secondFactorMissing,
    isLocked: session.locked_at !== null,
    deletesAt: session.deletes_at,
  }
  services.sessions.remember(hash, person, now, generation)
  return person
}
