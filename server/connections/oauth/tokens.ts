import { hash } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { hashToken, newToken } from '#server/values/token.ts'
import { newAccessToken } from '../authenticate-connection.ts'
import { endConnection } from '../manage-connections.ts'

const accessLifetimeMs = hourMs
const refreshLifetimeMs = 90 * dayMs
const unusedClientRetentionMs = 7 * dayMs
/** Programs send a refresh token twice when two of their requests race or an answer was lost. */
const reuseGraceMs = 2 * 60_000

export class OAuthError extends Error {
  readonly code: string
  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** Tells programs whose registration was removed to register again. @throws OAuthError */
async function requireRegisteredClient({ db }: Services, form: URLSearchParams): Promise<void> {
  const id = form.get('client_id') ?? ''
  if (id.startsWith('https://')) return
  const row = await db.selectFrom('oauth_clients').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw new OAuthError('invalid_client', 'This program isn’t registered here. Register it again.')
}

/** @throws OAuthError */
export async function exchangeCode(services: Services, form: URLSearchParams): Promise<TokenAnswer> {
  await requireRegisteredClient(services, form)
  const { db } = services
  const now = services.now().getTime()
  const codeHash = hashToken(form.get('code') ?? '')
  const row = await db.selectFrom('oauth_codes').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()
  const isCodeValid =
    row &&
    row.expires_at > now &&
    row.client_id === form.get('client_id') &&
    row.redirect_uri === form.get('redirect_uri') &&
    row.code_challenge === hash('sha256', form.get('code_verifier') ?? '', 'base64url')
  if (!isCodeValid)
    throw new OAuthError('invalid_grant', 'The code is wrong, has expired or belongs to another program.')
  // A code that is used twice may be stolen, so its tokens end, too.
  const refuseReuse = async () => {
    await endConnection(services, row.connection_id)
    throw new OAuthError('invalid_grant', 'The code has been used.')
  }
  if (row.used_at !== null) return refuseReuse()
  const codeUpdate = db
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
  try {
    return await issueTokens(services, row.connection_id, row.resource, [requireChanges(codeUpdate)])
  } catch (error) {
    if (error instanceof UnexpectedChanges) return refuseReuse()
    throw error
  }
}

/** @throws OAuthError */
export async function refreshTokens(services: Services, form: URLSearchParams): Promise<TokenAnswer> {
  await requireRegisteredClient(services, form)
  const { db } = services
  const now = services.now().getTime()
  const tokenHash = hashToken(form.get('refresh_token') ?? '')
  const row = await db
    .selectFrom('connection_tokens')
    .innerJoin('connections', 'connections.id', 'connection_tokens.connection_id')
    .select(['connection_id', 'resource', 'replaced_at', 'client_id', 'connection_tokens.expires_at'])
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'refresh')
    .executeTakeFirst()
  const isTokenValid = row && row.client_id === form.get('client_id') && (row.expires_at ?? 0) > now
  if (!isTokenValid) throw new OAuthError('invalid_grant', 'The refresh token is wrong or has ended. Sign in again.')
  if (row.replaced_at !== null && now - row.replaced_at > reuseGraceMs) {
    await endConnection(services, row.connection_id)
    throw new OAuthError('invalid_grant', 'The refresh token was used before, so the access was ended. Sign in again.')
  }
  const tokenUpdate = db
    .updateTable('connection_tokens')
    .set({ replaced_at: sql`coalesce(replaced_at, ${now})` })
    .where('token_hash', '=', tokenHash)
  return issueTokens(services, row.connection_id, row.resource, [requireChanges(tokenUpdate)])
}

async function issueTokens(
  services: Services,
  connectionId: string,
  resource: string | null,
  writes: Parameters<Services['db']['batch']>[0],
): Promise<TokenAnswer> {
  const { db } = services
  const now = services.now().getTime()
  const connection = await db
    .selectFrom('connections')
    .select(['scopes', 'revoked_at', 'expires_at'])
    .where('id', '=', connectionId)
    .executeTakeFirst()
  if (!connection || connection.revoked_at !== null || (connection.expires_at ?? Infinity) <= now)
    throw new OAuthError('invalid_grant', 'The person’s consent has ended. Ask them to connect the program again.')
  const [access, refresh] = [newAccessToken(), newToken('keeper_ort_')]
  const toRow = (
    token: string,
    tokenHash: string,
    kind: 'access' | 'refresh',
  ): Insertable<Schema['connection_tokens']> => ({
    token_hash: tokenHash,
    connection_id: connectionId,
    kind,
    hint: token.slice(-4),
    resource,
    created_at: now,
    expires_at: now + (kind === 'access' ? accessLifetimeMs : refreshLifetimeMs),
    replaced_at: null,
  })
  await db.batch([
    ...writes,
    db
      .insertInto('connection_tokens')
      .values([toRow(access.token, access.hash, 'access'), toRow(refresh.token, refresh.hash, 'refresh')]),
  ])
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: accessLifetimeMs / 1000,
    refresh_token: refresh.token,
    scope: connection.scopes.join(' '),
  }
}

/** Ends the access that a token belongs to; unknown tokens are ignored (RFC 7009). */
export async function revokeToken(services: Services, token: string): Promise<void> {
  const row = await services.db
    .selectFrom('connection_tokens')
    .select('connection_id')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '!=', 'personal')
    .executeTakeFirst()
  if (row) await endConnection(services, row.connection_id)
}

/** Deletes ended tokens and codes, and clients without a connection. */
export async function sweepConnections({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const time = now().getTime()
  await db.batch([
    db.deleteFrom('connection_tokens').where('expires_at', '<', time),
    db.deleteFrom('oauth_codes').where('expires_at', '<', time - dayMs),
    db
      .deleteFrom('oauth_clients')
      .where('created_at', '<', time - unusedClientRetentionMs)
      .where('id', 'not in', db.selectFrom('connections').select('client_id').where('client_id', 'is not', null)),
  ])
}
