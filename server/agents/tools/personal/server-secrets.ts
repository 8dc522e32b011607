import { createEgressFetch } from '#server/http/egress.ts'
import { openSealed, toToolServerBinding } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { limitResponseSize } from '../tolerant-fetch.ts'

export interface OAuthClient {
  client_id: string
  client_secret?: string | undefined
  token_endpoint_auth_method?: string | undefined
  isByHand?: true
}

export interface AuthorizationServer {
  url: string
  metadata?: Record<string, unknown> | undefined
}

export interface ToolServerGrant {
  authorizationServer: AuthorizationServer
  client: OAuthClient
  /** The resource the tokens are for (RFC 8707). */
  resource?: string | undefined
  accessToken: string
  refreshToken?: string | undefined
  /** Epoch milliseconds; `null` if the server didn't say. */
  expiresAt: number | null
  isRefused?: true
}

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

export const serverColumns = ['id', 'owner_id', 'name', 'address', 'sealed', 'created_at'] as const

export function sealForToolServer(
  services: Services,
  row: Pick<PersonalServerRow, 'id' | 'owner_id'>,
  value: object,
): string {
  return services.sealer.seal(JSON.stringify(value), toToolServerBinding(row))
}

export async function openForToolServer<T>(
  services: Services,
  row: Pick<PersonalServerRow, 'id' | 'owner_id'>,
  sealed: string,
): Promise<T | undefined> {
  const text = await openSealed(services, sealed, toToolServerBinding(row))
  return text === undefined ? undefined : (JSON.parse(text) as T)
}

/** A fetch for addresses set by people or named by their servers: the rules of http_fetch and 2 MB per answer. */
export function createPersonalFetch({ settings, egress }: Services): typeof fetch {
  return limitResponseSize(createEgressFetch({ ...egress, hosts: settings.fetchHosts }))
}

const oauthTimeoutMs = 15_000

export function createOAuthFetch(services: Services): typeof fetch {
  const personalFetch = createPersonalFetch(services)
  return async (input, init) => {
    const response = await personalFetch(input, {
      ...init,
      signal: init?.signal ?? AbortSignal.timeout(oauthTimeoutMs),
    })
    const text = response.status < 200 || response.status === 204 ? null : await response.text()
    const { status, statusText, headers } = response
    return new Response(text === null ? null : removeNulls(text), { status, statusText, headers })
  }
}

function removeNulls(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value) => value ?? undefined)
  } catch {
    return text
  }
}
