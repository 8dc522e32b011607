import { hash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { insertAudit } from '#server/audit/write-audit.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { getClientAddress, type NodeBindings } from '#server/http/client-address.ts'
import { Problem } from '#server/http/problem.ts'
import { createRetryAfterHeader } from '#server/http/problem-response.ts'
import { readFormBody } from '#server/http/request-body.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { countAttempts, readAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import {
  clockToleranceSeconds,
  type LogoutToken,
  LogoutTokenRefused,
  maxTokenAgeSeconds,
  readLogoutToken,
} from './logout-token.ts'
import { findOidcSettings } from './provider.ts'

const maxFormBytes = 16 * 1024
/** Only refused requests count, so that a provider can end any number of sessions. */
const refusalThrottle = { kind: 'oidc-logout-refused', limit: 100, windowMs: 15 * 60 * 1000 }
/** Bounds one logout; a session of the provider normally belongs to one person. */
const maxPeople = 100

const headers = { ...apiHeaders, 'cache-control': 'no-store' }

/** OpenID Connect Back-Channel Logout 1.0: the provider ends the sessions of someone who signed out there. */
export async function answerBackChannelLogout(
  services: Services,
  request: Request,
  bindings: NodeBindings | undefined,
): Promise<Response> {
  const address = getClientAddress(request, bindings, services.settings.trustedProxies)
  try {
    if (!findOidcSettings(services)) throw new Problem('not-found', { message: 'No identity provider is set up.' })
    const { count, waitSeconds } = await readAttempts(services, refusalThrottle, address)
    if (count >= refusalThrottle.limit) throw new Problem('too-many', { retryAfterSeconds: waitSeconds })
    const tokens = (await readFormBody(request, bindings?.incoming, maxFormBytes)).getAll('logout_token')
    if (tokens.length !== 1 || !tokens[0]) throw new LogoutTokenRefused('exactly one logout_token')
    await endProviderSessions(services, await readLogoutToken(services, tokens[0]))
    return new Response(null, { status: 200, headers })
  } catch (error) {
    return explainFailure(services, address, error)
  }
}

async function explainFailure(services: Services, address: string, error: unknown): Promise<Response> {
  const buildResponse = (status: number, code: string, text: string, extraHeaders: Record<string, string> = {}) =>
    new Response(JSON.stringify({ error: code, error_description: text }), {
      status,
      headers: { ...headers, ...extraHeaders },
    })
  if (error instanceof LogoutTokenRefused) {
    await countAttempts(services, refusalThrottle, address)
    services.log.warn({ check: error.message.slice(0, 200) }, 'a logout token was refused')
    return buildResponse(400, 'invalid_request', 'The logout token is not valid for this server.')
  }
  if (error instanceof Problem) {
    const { status, message } = error
    if (status === 429) return buildResponse(429, 'temporarily_unavailable', message, createRetryAfterHeader(error))
    return buildResponse(status === 404 ? 404 : 400, 'invalid_request', message)
  }
  services.log.error({ err: error }, 'a logout of the identity provider could not be handled')
  return buildResponse(503, 'temporarily_unavailable', 'The logout could not be handled. Send it again.')
}

/** Succeeds without sessions too, since the person may have signed out here first. @throws LogoutTokenRefused for a used token */
async function endProviderSessions(services: Services, token: LogoutToken): Promise<void> {
  const { db } = services
  const whereEnded = buildSessionCondition(token)
  const people = await db
    .selectFrom('sessions')
    .select('person_id')
    .distinct()
    .where(whereEnded)
    .limit(maxPeople)
    .execute()
  const lifetimeMs = (maxTokenAgeSeconds + 2 * clockToleranceSeconds) * 1000
  const usedToken = {
    challenge_hash: hash('sha256', `logout ${token.issuer} ${token.tokenId}`, 'base64url'),
    expires_at: services.now().getTime() + lifetimeMs,
  }
  const subject = new URL(token.issuer).hostname
  try {
    await db.batch([
      db.insertInto('used_challenges').values(usedToken),
      db.deleteFrom('sessions').where(whereEnded),
      ...people.map(({ person_id: personId }) =>
        insertAudit(services, {
          action: 'session-ended',
          actor: null,
          personId,
          subject,
          details: { method: 'oidc' },
        }),
      ),
    ])
  } catch (error) {
    throw error instanceof UniqueViolation ? new LogoutTokenRefused('a token that was used') : error
  }
  for (const { person_id: personId } of people) {
    services.sessions.evictPerson(personId)
    services.live.publish(personId, { type: 'session-ended' })
    services.live.publish(personId, { type: 'account-changed' })
  }
}

/** Without a subject, only the named session ends; with one, also sessions whose own name is unknown. */
function buildSessionCondition({ issuer, subject, providerSession }: LogoutToken): RawBuilder<SqlBool> {
  const identitiesOfIssuer = sql`select id from identities where issuer = ${issuer}`
  if (subject === null)
    return sql<SqlBool>`(provider_session = ${providerSession} and identity_id in (${identitiesOfIssuer}))`
  const isOfSubject = sql`identity_id in (${identitiesOfIssuer} and subject = ${subject})`
  return providerSession === null
    ? sql<SqlBool>`(${isOfSubject})`
    : sql<SqlBool>`(${isOfSubject} and (provider_session = ${providerSession} or provider_session is null))`
}
