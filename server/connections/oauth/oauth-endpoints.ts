import { connectionScopes } from '#contract/connections/scopes.ts'
import { getClientAddress, type NodeBindings } from '#server/http/client-address.ts'
import { Problem } from '#server/http/problem.ts'
import { createRetryAfterHeader } from '#server/http/problem-response.ts'
import { readFormBody, readJsonBody } from '#server/http/request-body.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { requireAttempt, type Throttle } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { hourMs } from '#server/values/time-units.ts'
import { getMcpResource } from './authorize.ts'
import { clientMetadata, registerClient } from './clients.ts'
import { exchangeCode, OAuthError, refreshTokens, revokeToken } from './tokens.ts'

const maxFormBytes = 16 * 1024
const registrationThrottle: Throttle = { kind: 'oauth-register', limit: 20, windowMs: hourMs }
const tokenThrottle: Throttle = { kind: 'oauth-token', limit: 300, windowMs: hourMs }

/** Pages of any origin can read these answers, because no cookie or session gives access to them. */
const headers = { ...apiHeaders, 'cache-control': 'no-store', 'access-control-allow-origin': '*' }
const respondJson = (data: unknown, status = 200, extraHeaders: Record<string, string> = {}) =>
  new Response(JSON.stringify(data), { status, headers: { ...headers, ...extraHeaders } })

export const resourceMetadataPaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
]
export const serverMetadataPaths = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/mcp',
]

/** Browsers send a preflight before a request with a header of MCP. */
export const answerPreflight = () =>
  new Response(null, {
    status: 204,
    headers: {
      ...headers,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
      'access-control-max-age': '86400',
    },
  })

export const getResourceMetadataUrl = (services: Services) => `${getPublicUrl(services)}${resourceMetadataPaths[1]}`

export function showResourceMetadata(services: Services): Response {
  return respondJson({
    resource: getMcpResource(services),
    authorization_servers: [getPublicUrl(services)],
    scopes_supported: connectionScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Keeper',
  })
}

export function showServerMetadata(services: Services): Response {
  const issuer = getPublicUrl(services)
  return respondJson({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: connectionScopes,
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  })
}

type OAuthHandler = (services: Services, request: Request, bindings: NodeBindings | undefined) => Promise<Response>

export const answerToken: OAuthHandler = (services, request, bindings) =>
  withOAuthErrors(services, async () => {
    await requireAttempt(services, tokenThrottle, getAddress(services, request, bindings))
    const form = await readFormBody(request, bindings?.incoming, maxFormBytes)
    const grantType = form.get('grant_type')
    if (grantType === 'authorization_code') return respondJson(await exchangeCode(services, form))
    if (grantType === 'refresh_token') return respondJson(await refreshTokens(services, form))
    throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.')
  })

export const answerRevocation: OAuthHandler = (services, request, bindings) =>
  withOAuthErrors(services, async () => {
    await requireAttempt(services, tokenThrottle, getAddress(services, request, bindings))
    await revokeToken(services, (await readFormBody(request, bindings?.incoming, maxFormBytes)).get('token') ?? '')
    return respondJson({})
  })

export const answerRegistration: OAuthHandler = (services, request, bindings) =>
  withOAuthErrors(services, async () => {
    await requireAttempt(services, registrationThrottle, getAddress(services, request, bindings))
    const body = await readJsonBody(request, bindings?.incoming, { maxBytes: maxFormBytes })
    const parsed = clientMetadata.safeParse(body)
    if (!parsed.success) throw new OAuthError('invalid_client_metadata', 'Send client_name and redirect_uris.')
    const client = await registerClient(services, parsed.data)
    const registered = {
      client_id: client.id,
      client_id_issued_at: Math.floor(services.now().getTime() / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    return respondJson(registered, 201)
  })

const getAddress = (services: Services, request: Request, bindings: NodeBindings | undefined) =>
  getClientAddress(request, bindings, services.settings.trustedProxies)

async function withOAuthErrors({ log }: Services, respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    if (error instanceof OAuthError)
      return respondJson(
        { error: error.code, error_description: error.message },
        error.code === 'invalid_client' ? 401 : 400,
      )
    if (error instanceof Problem) {
      const status = error.status
      const code = status === 429 ? 'temporarily_unavailable' : 'invalid_request'
      return respondJson({ error: code, error_description: error.message }, status, createRetryAfterHeader(error))
    }
    log.error({ err: error }, 'an OAuth request failed')
    return respondJson({ error: 'server_error' }, 500)
  }
}
