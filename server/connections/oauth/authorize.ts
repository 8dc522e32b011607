import type * as z from 'zod/mini'
import type { oauth } from '#contract/connections/oauth.ts'
import { type ConnectionScope, connectionScopes } from '#contract/connections/scopes.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { badField } from '#server/http/problem.ts'
import { requireAttempt, type Throttle } from '#server/http/throttle.ts'
import { selectOwnKeepers } from '#server/keepers/keeper-access.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { hourMs } from '#server/values/time-units.ts'
import { newToken } from '#server/values/token.ts'
import { buildConnection, parseFutureTime, requireConnectionSlot, toConnectionColumns } from '../manage-connections.ts'
import { getRedirectTarget, isLocalRedirect, loadClient, requireRedirectUri } from './clients.ts'

type AuthorizationRequest = z.output<NonNullable<typeof oauth.describe.query>>
type Consent = z.output<NonNullable<typeof oauth.consent.body>>

const codeLifetimeMs = 5 * 60 * 1000
const maxKeepers = 100
const requestThrottle: Throttle = { kind: 'oauth-requests', limit: 60, windowMs: hourMs }

/** The address that access tokens are for. */
export const getMcpResource = (services: Services) => `${getPublicUrl(services)}/mcp`

/** @throws Problem 400 for an unknown program or address; 429 */
export async function describeRequest(
  services: Services,
  person: Pick<Person, 'id'>,
  request: AuthorizationRequest,
): Promise<EndpointOutput<typeof oauth.describe>> {
  await requireAttempt(services, requestThrottle, person.id)
  const client = await loadClient(services, request.client_id)
  const redirect = requireRedirectUri(client, request.redirect_uri)
  requireResource(services, request.resource)
  return {
    name: toDisplayLine(client.name),
    redirectHost: toDisplayLine(getRedirectTarget(redirect)),
    isLocal: isLocalRedirect(redirect),
    scopes: parseScopes(request.scope),
    refusalUrl: addParameters(redirect, { error: 'access_denied', state: request.state, iss: getPublicUrl(services) }),
    keepers: await listKeeperCounts(services, person),
  }
}

/** @throws Problem 400 for an unknown program, address or keeper; 422 above the limit of connections */
export async function grantAccess(
  services: Services,
  person: Pick<Person, 'id'>,
  consent: Consent,
): Promise<{ redirectUrl: string }> {
  await requireAttempt(services, requestThrottle, person.id)
  await requireConnectionSlot(services, person)
  const client = await loadClient(services, consent.client_id)
  const redirect = requireRedirectUri(client, consent.redirect_uri)
  requireResource(services, consent.resource)
  const now = services.now().getTime()
  const { expiresAt, keeperIds, withoutMoods, purpose } = consent
  const connection = await buildConnection(services, person, {
    name: client.name,
    clientId: client.id,
    host: getRedirectTarget(redirect),
    scopes: [...new Set(consent.scopes)],
    keeperIds,
    topics: consent.topics ?? null,
    withoutMoods,
    purpose,
    monthlyBudgetUsd: consent.monthlyBudgetUsd ?? null,
    createdAt: now,
    expiresAt: parseFutureTime(services, expiresAt),
  })
  const { token: code, hash } = newToken('keeper_code_')
  const { db } = services
  await db.batch([
    db.insertInto('connections').values(toConnectionColumns(connection)),
    db.insertInto('oauth_codes').values({
      code_hash: hash,
      connection_id: connection.id,
      client_id: client.id,
      redirect_uri: consent.redirect_uri,
      code_challenge: consent.code_challenge,
      resource: getMcpResource(services),
      expires_at: now + codeLifetimeMs,
      used_at: null,
    }),
    db.updateTable('oauth_clients').set({ last_used_at: now }).where('id', '=', client.id),
    insertAudit(services, {
      action: 'connection-created',
      actor: person,
      personId: person.id,
      subject: connection.host,
    }),
  ])
  services.live.publish(person.id, { type: 'account-changed' })
  return { redirectUrl: addParameters(redirect, { code, state: consent.state, iss: getPublicUrl(services) }) }
}

function parseScopes(scope: string | undefined): ConnectionScope[] {
  const requested = new Set(scope?.split(' '))
  const supported = connectionScopes.filter((name) => requested.has(name))
  return supported.length > 0 ? supported : ['read:memory', 'propose:memory']
}

/** Tokens are for this server's MCP address only (RFC 8707). Some programs add the query that the person typed. */
function requireResource(services: Services, resource: string | undefined): void {
  const normalizedResource = resource?.replace(/\?.*$/s, '').replace(/\/$/, '')
  if (
    normalizedResource === undefined ||
    [getMcpResource(services), getPublicUrl(services)].includes(normalizedResource)
  )
    return
  throw badField('resource', `This server gives access to ${getMcpResource(services)} only.`)
}

function addParameters(redirect: URL, parameters: Record<string, string | undefined>): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Counts all that a program with unlimited access could read now. */
async function listKeeperCounts({ db }: Services, person: Pick<Person, 'id'>) {
  const keepers = await selectOwnKeepers(db, person.id)
    .where('id', '!=', getSampleKeeperId(person.id))
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxKeepers)
    .execute()
  const ids = [...keepers.map(({ id }) => id), '']
  const countIn = (table: 'memory_cards' | 'moments') =>
    db
      .selectFrom(table as 'moments')
      .select(['keeper_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('keeper_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where('ai_visible', '=', true)
      .$if(table === 'memory_cards', (query) => query.where('state' as never, '=', 'active' as never))
      .groupBy('keeper_id')
      .execute()
  const [cards, moments] = await Promise.all([countIn('memory_cards'), countIn('moments')])
  const getCount = (counts: typeof cards, id: string) =>
    Number(counts.find(({ keeper_id }) => keeper_id === id)?.count ?? 0)
  return keepers.map(({ id, title }) => ({
    id,
    title: toDisplayLine(title),
    cards: getCount(cards, id),
    moments: getCount(moments, id),
  }))
}
