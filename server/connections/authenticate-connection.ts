import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { hashToken, newToken } from '#server/values/token.ts'

const personalPrefix = 'keeper_pat_'
const accessPrefix = 'keeper_oat_'
const lastUsedIntervalMs = 5 * 60 * 1000

export const newPersonalToken = () => newToken(personalPrefix)
export const newAccessToken = () => newToken(accessPrefix)

export const isConnectionToken = (token: string) => token.startsWith(personalPrefix) || token.startsWith(accessPrefix)

/** The person for whom a program calls; null if the token is unknown or has expired. @throws Problem 401 that says when the access ended */
export async function authenticateConnection(services: Services, token: string): Promise<Person | null> {
  const hash = hashToken(token)
  const now = services.now().getTime()
  const cachedPerson = services.sessions.find(hash, now)
  if (cachedPerson) return cachedPerson
  const { generation } = services.sessions
  const row = await services.db
    .selectFrom('connection_tokens')
    .innerJoin('connections', 'connections.id', 'connection_tokens.connection_id')
    .innerJoin('people', 'people.id', 'connections.owner_id')
    .selectAll('connections')
    .select(['connection_tokens.expires_at as token_expires_at', 'connection_tokens.resource'])
    .select(['people.email', 'people.name as person_name', 'people.nickname', 'people.deletes_at'])
    .where('connection_tokens.token_hash', '=', hash)
    .where('connection_tokens.kind', '!=', 'refresh')
    .where('people.deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  refuseEndedAccess(row, now)
  const expiresAt = Math.min(...[row.token_expires_at, row.expires_at, row.deletes_at].map((end) => end ?? Infinity))
  if (expiresAt <= now) return null
  if (now - (row.last_used_at ?? 0) > lastUsedIntervalMs) await updateLastUse(services, row.id, now)
  const person: Person = {
    id: row.owner_id,
    email: row.email,
    name: row.person_name && toDisplayLine(row.person_name),
    nickname: row.nickname && toDisplayLine(row.nickname),
    roles: [],
    permissions: new Set(),
    sessionId: row.id,
    sessionExpiresAt: expiresAt,
    sessionMethod: null,
    provedAt: null,
    secondFactorMissing: false,
    isLocked: false,
    deletesAt: row.deletes_at,
    connection: {
      id: row.id,
      name: toDisplayLine(row.name),
      scopes: row.scopes,
      keeperIds: row.keeper_ids,
      topics: row.topics,
      withoutMoods: row.without_moods,
      purpose: row.purpose,
      monthlyLimitMicros: row.monthly_limit_micros,
      resource: row.resource,
    },
  }
  services.sessions.remember(hash, person, now, generation)
  return person
}

/** Programs show this sentence to their users, or their models read it. */
function refuseEndedAccess(
  { revoked_at, expires_at }: { revoked_at: number | null; expires_at: number | null },
  now: number,
) {
  const end = revoked_at ?? expires_at
  if (end === null || end > now) return
  const day = toIsoTime(end).slice(0, 10)
  const message =
    revoked_at === null
      ? `The access to Keeper that the person agreed to ended on ${day}. Ask them to connect this program again.`
      : `The person revoked this program’s access to Keeper on ${day}. Ask them before you connect it again.`
  throw new Problem('not-signed-in', { message })
}

async function updateLastUse({ db, log }: Services, id: string, now: number): Promise<void> {
  try {
    await db.updateTable('connections').set({ last_used_at: now }).where('id', '=', id).execute()
  } catch (error) {
    // Reads must work on a full disk, too; a later call updates it.
    log.warn({ err: error }, 'the last use of a connected program could not be saved')
  }
}
