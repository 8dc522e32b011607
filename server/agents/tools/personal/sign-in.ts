import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import type * as z from 'zod/mini'
import {
  type PersonalToolServer,
  type personalToolServers,
  signInReturnPath,
} from '#contract/agents/personal-tool-servers.ts'
import { trimEndMatching } from '#contract/linear-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { hourMs } from '#server/values/time-units.ts'
import { hashToken, newToken } from '#server/values/token.ts'
import { forgetOffer } from '../mcp-tools.ts'
import { describeToolServerFailure, ToolServerFailure } from '../tool-server-failure.ts'
import { saveSecrets, toGrant } from './access-token.ts'
import { requirePersonalToolServer, showPersonalToolServer } from './personal-tool-servers.ts'
import {
  type AuthorizationServer,
  createOAuthFetch,
  type OAuthClient,
  openForToolServer,
  type PersonalServerRow,
  type ServerSecrets,
  sealForToolServer,
} from './server-secrets.ts'

const signInTtlMs = 10 * 60_000
const signInRateLimit = { kind: 'tool-server-sign-in', limit: 30, windowMs: hourMs }

type SignInRequest = z.output<typeof personalToolServers.startSignIn.body & {}>
type SignInResult = z.output<typeof personalToolServers.finishSignIn.body & {}>

interface PendingSignIn {
  authorizationServer: AuthorizationServer
  client: OAuthClient
  resource?: string | undefined
  codeVerifier: string
  redirectUrl: string
}

interface DiscoveredServer {
  authorizationServer: AuthorizationServer
  metadata: AuthorizationServerMetadata | undefined
  resource: string | undefined
  scope: string | undefined
}

/** @throws Problem `not-found`, `too-many`; `unprocessable` with `needs_client` if the server can't register Keeper */
export async function startSignIn(
  services: Services,
  person: Person,
  id: string,
  input: SignInRequest,
): Promise<{ authorization_url: string }> {
  const row = await requirePersonalToolServer(services, person, id)
  await requireAttempt(services, signInRateLimit, person.id)
  const secrets = await requireSecrets(services, row)
  const redirectUrl = `${getPublicUrl(services)}${signInReturnPath}`
  const fetchFn = createOAuthFetch(services)
  return withReadableFailure(async () => {
    const sdk = await import('@modelcontextprotocol/client')
    const { authorizationServer, metadata, resource, scope } = await discoverServer(secrets.url, fetchFn)
    const client = await chooseClient({ secrets, input, authorizationServer, metadata, redirectUrl, scope, fetchFn })
    const { token: state, hash } = newToken()
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(authorizationServer.url, {
      ...(metadata && { metadata }),
      clientInformation: client,
      redirectUrl,
      state,
      ...(scope && { scope }),
      ...(resource !== undefined && { resource }),
    })
    // The browser opens the address, so it must be a web address.
    const safeProtocols = ['https:', new URL(redirectUrl).protocol]
    if (!safeProtocols.includes(authorizationUrl.protocol))
      throw new ToolServerFailure('The server’s sign-in address isn’t safe to open.')
    const pending: PendingSignIn = { authorizationServer, client, resource, codeVerifier, redirectUrl }
    await services.db
      .updateTable('personal_tool_servers')
      .set({
        sign_in_state: hash,
        sign_in_sealed: sealForToolServer(services, row, pending),
        sign_in_until: services.now().getTime() + signInTtlMs,
      })
      .where('id', '=', row.id)
      .execute()
    return { authorization_url: authorizationUrl.href }
  })
}

/** Works once, and only for the person who started it. @throws Problem `not-found` for a foreign or expired state; `unprocessable` if refused */
export async function finishSignIn(
  services: Services,
  person: Person,
  input: SignInResult,
): Promise<PersonalToolServer> {
  const { db } = services
  const expiredProblem = new Problem('not-found', { message: 'This sign-in has expired. Start it again.' })
  const row = await db
    .selectFrom('personal_tool_servers')
    .selectAll()
    .where('owner_id', '=', person.id)
    .where('sign_in_state', '=', hashToken(input.state))
    .where('sign_in_until', '>', services.now().getTime())
    .executeTakeFirst()
  if (!row) throw expiredProblem
  const { numUpdatedRows } = await db
    .updateTable('personal_tool_servers')
    .set({ sign_in_state: null, sign_in_sealed: null, sign_in_until: null })
    .where('id', '=', row.id)
    .where('sign_in_state', '=', row.sign_in_state)
    .executeTakeFirst()
  const pending = await openForToolServer<PendingSignIn>(services, row, row.sign_in_sealed ?? '')
  if (numUpdatedRows === 0n || !pending) throw expiredProblem
  const secrets = await requireSecrets(services, row)
  const { authorizationServer, client, resource, codeVerifier, redirectUrl } = pending
  await withReadableFailure(async () => {
    const { code } = input
    if (!code)
      throw new ToolServerFailure(
        input.error === 'access_denied'
          ? 'The sign-in was declined.'
          : 'The server sent you back without signing you in.',
      )
    const sdk = await import('@modelcontextprotocol/client')
    const metadata = authorizationServer.metadata as unknown as AuthorizationServerMetadata | undefined
    const tokens = await sdk.exchangeAuthorization(authorizationServer.url, {
      ...(metadata && { metadata }),
      clientInformation: client,
      authorizationCode: code,
      ...(input.iss !== undefined && { iss: input.iss }),
      codeVerifier,
      redirectUri: redirectUrl,
      ...(resource !== undefined && { resource }),
      fetchFn: createOAuthFetch(services),
    })
    const grant = toGrant(services, tokens, { authorizationServer, client, resource })
    await saveSecrets(services, row, { ...secrets, grant })
  })
  forgetOffer(services, row.id)
  return showPersonalToolServer(services, await requirePersonalToolServer(services, person, row.id))
}

async function discoverServer(url: string, fetchFn: typeof fetch): Promise<DiscoveredServer> {
  const sdk = await import('@modelcontextprotocol/client')
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(await requestChallenge(url, fetchFn))
  const {
    authorizationServerUrl,
    authorizationServerMetadata: metadata,
    resourceMetadata,
  } = await sdk.discoverOAuthServerInfo(url, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    fetchFn,
    // The SDK's check allows a trailing slash in only one of the two spellings.
    skipIssuerMetadataValidation: true,
  })
  if (metadata && trimEndMatching(metadata.issuer, /\//) !== trimEndMatching(authorizationServerUrl, /\//))
    throw new ToolServerFailure('The authorization server identifies itself as a different server.')
  return {
    authorizationServer: {
      url: authorizationServerUrl,
      ...(metadata && { metadata: metadata as unknown as Record<string, unknown> }),
    },
    metadata,
    resource: requireResource(url, resourceMetadata),
    scope: withOfflineAccess(scope ?? resourceMetadata?.scopes_supported?.join(' '), metadata),
  }

  function requireResource(
    serverUrl: string,
    protectedResource: OAuthProtectedResourceMetadata | undefined,
  ): string | undefined {
    if (!protectedResource) return undefined
    const requestedResource = sdk.resourceUrlFromServerUrl(serverUrl)
    if (!sdk.checkResourceAllowed({ requestedResource, configuredResource: protectedResource.resource }))
      throw new ToolServerFailure(`The sign-in is for another address (${protectedResource.resource.slice(0, 200)}).`)
    return protectedResource.resource
  }
}

/** OpenID Connect servers issue refresh tokens only with this scope. */
function withOfflineAccess(
  scope: string | undefined,
  metadata: AuthorizationServerMetadata | undefined,
): string | undefined {
  const isOffered = metadata?.scopes_supported?.includes('offline_access')
  return isOffered && scope && !scope.split(' ').includes('offline_access') ? `${scope} offline_access` : scope
}

async function requestChallenge(url: string, fetchFn: typeof fetch): Promise<Response> {
  const response = await fetchFn(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'keeper', version: '1' } },
    }),
  })
  await response.body?.cancel()
  return response
}

async function chooseClient({
  secrets: { grant },
  input,
  authorizationServer,
  metadata,
  redirectUrl,
  scope,
  fetchFn,
}: {
  secrets: ServerSecrets
  input: SignInRequest
  authorizationServer: AuthorizationServer
  metadata: AuthorizationServerMetadata | undefined
  redirectUrl: string
  scope: string | undefined
  fetchFn: typeof fetch
}): Promise<OAuthClient> {
  if (input.client_id)
    return {
      client_id: input.client_id,
      ...(input.client_secret && { client_secret: input.client_secret }),
      isByHand: true,
    }
  // A client is valid only with the server that registered it.
  const isRegistered = grant?.authorizationServer.url === authorizationServer.url
  if (isRegistered && (grant.client.isByHand || !grant.isRefused)) return grant.client
  if (metadata && !metadata.registration_endpoint)
    throw new Problem('unprocessable', {
      message: `This server can’t register Keeper automatically. Register Keeper there with the redirect URL ${redirectUrl}, then enter the client ID here.`,
      data: { needs_client: true, redirect_url: redirectUrl },
    })
  const { registerClient } = await import('@modelcontextprotocol/client')
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Keeper',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: chooseAuthMethod(metadata?.token_endpoint_auth_methods_supported),
    application_type: redirectUrl.startsWith('https:') ? 'web' : 'native',
  }
  const registration = await registerClient(authorizationServer.url, {
    ...(metadata && { metadata }),
    clientMetadata,
    ...(scope && { scope }),
    fetchFn,
  })
  return {
    client_id: registration.client_id,
    client_secret: registration.client_secret,
    token_endpoint_auth_method: registration.token_endpoint_auth_method,
  }
}

function chooseAuthMethod(supported: readonly string[] | undefined): string {
  if (!supported) return 'none'
  const methods = ['none', 'client_secret_basic', 'client_secret_post']
  return methods.find((method) => supported.includes(method)) ?? 'none'
}

async function requireSecrets(services: Services, row: PersonalServerRow): Promise<ServerSecrets> {
  const secrets = await openForToolServer<ServerSecrets>(services, row, row.sealed)
  if (!secrets)
    throw new Problem('conflict', {
      message: 'The stored credentials of this server can no longer be decrypted. Remove the server and add it again.',
    })
  return secrets
}

/** Reports only the kind of failure, because the server's answer can repeat a secret. @throws Problem `unprocessable` */
async function withReadableFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('unprocessable', { message: `The sign-in failed: ${await describeSignInFailure(error)}` })
  }
}

async function describeSignInFailure(error: unknown): Promise<string> {
  const sdk = await import('@modelcontextprotocol/client')
  if (sdk.OAuthError.isInstance(error)) return `The server refused it (${String(error.code).slice(0, 60)}).`
  if (sdk.RegistrationRejectedError.isInstance(error)) return 'The server refused to register Keeper as a client.'
  if (sdk.IssuerMismatchError.isInstance(error)) return 'The answer came from a different server.'
  if (sdk.InsecureTokenEndpointError.isInstance(error))
    return 'The server accepts tokens over an unencrypted connection.'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The server didn’t answer in time.'
  return describeToolServerFailure(error, []).message
}
