import { createEgressFetch } from '#server/http/egress.ts'
import { openSealed, sealedForToolServer } from '#server/keys/open-sealed.ts'
import type { Services } from '#server/services.ts'
import { limitAnswer } from '../tolerant-fetch.ts'

/** An OAuth client as the authorization server knows it. */
export interface OAuthClient {
  client_id: string
  client_secret?: string | undefined
  token_endpoint_auth_method?: string | undefined
  /** The person registered it and entered it here. */
  isByHand?: true
}

/** What the endpoints of an authorization server are needed for after its discovery. */
export interface AuthorizationServer {
  url: string
  /** As it was discovered (RFC 8414); left out where the server publishes none. */
  metadata?: Record<string, unknown> | undefined
}

/** What a person's sign-in to a tool server gave. */
export interface ToolServerGrant {
  authorizationServer: AuthorizationServer
  client: OAuthClient
  /** The resource the tokens are for (RFC 8707). */
  resource?: string | undefined
  accessToken: string
  refreshToken?: string | undefined
  /** Milliseconds since 1970; `null` where the server did not say. */
  expiresAt: number | null
  /** The server did not renew it: it may not know its client any more either. */
  isRefused?: true
}

/** What a personal tool server is reached with. */
export interface ServerSecrets {
  url: string
  header?: { name: string; value: string } | undefined
  grant?: ToolServerGrant | undefined
}

export interface PersonalServerRow {
  id: string
  owner_id: string
  name: string
  address: string
  sealed: string
  created_at: number
}

export function sealForToolServer(
  services: Services,
  row: Pick<PersonalServerRow, 'id' | 'owner_id'>,
  value: object,
): string {
  return services.sealer.seal(JSON.stringify(value), sealedForToolServer(row))
}

/** `undefined` where no secret of this installation opens it. */
export async function openForToolServer<T>(
  services: Services,
  row: Pick<PersonalServerRow, 'id' | 'owner_id'>,
  sealed: string,
): Promise<T | undefined> {
  const text = await openSealed(services, sealed, sealedForToolServer(row))
  return text === undefined ? undefined : (JSON.parse(text) as T)
}

/** A fetch for addresses that people set, or that their servers name: the rules of http_fetch, and 2 MB an answer. */
export function createPersonalFetch({ settings, egress }: Services): typeof fetch {
  return limitAnswer(createEgressFetch({ ...egress, hosts: settings.fetchHosts }))
}

const oauthMs = 15_000

/** The same for OAuth: within a time, and without the nulls of optional fields, for which the SDK refuses an answer. */
export function createOAuthFetch(services: Services): typeof fetch {
  const personalFetch = createPersonalFetch(services)
  return async (input, init) => {
    const response = await personalFetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(oauthMs) })
    const text = response.status < 200 || response.status === 204 ? null : await response.text()
    const { status, statusText, headers } = response
    return new Response(text === null ? null : withoutNulls(text), { status, statusText, headers })
  }
}

function withoutNulls(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value) => value ?? undefined)
  } catch {
    return text
  }
}
