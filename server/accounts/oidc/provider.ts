import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import { createEgressFetch } from '#server/http/egress.ts'
import { isLinkLocalAddress } from '#server/http/public-address.ts'
import type { Services } from '#server/services.ts'
import type { OidcSettings } from '#server/settings/oidc-settings.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { hourMs } from '#server/values/time-units.ts'
import { OidcRefused, ProviderUnavailable } from './refusals.ts'

const answerTimeoutSeconds = 10
const maxAnswerBytes = 1024 * 1024
/** Discovery isn't retried before this time has passed. */
const failureLifetimeMs = 5_000

interface CachedDiscovery {
  configuration: Promise<Configuration>
  expiresAt: number
}

const discoveries = new WeakMap<Services, CachedDiscovery>()

/** The configured provider, or undefined if it can't be used. */
export function findOidcSettings({ settings }: Pick<Services, 'settings'>): OidcSettings | undefined {
  return settings.publicUrl === null ? undefined : (settings.oidc ?? undefined)
}

export function describeProvider(services: Services) {
  const { publicUrl, oidc } = services.settings
  const usable = findOidcSettings(services)
  return {
    label: usable?.label ?? null,
    problem:
      oidc && !usable
        ? 'Single sign-on is set up, but this server doesn’t know its public address. An administrator can set KEEPER_PUBLIC_URL.'
        : null,
    origin: usable && publicUrl !== null ? new URL(publicUrl).origin : null,
  }
}

/** @throws OidcRefused */
export function requireOidcSettings(services: Pick<Services, 'settings'>): OidcSettings {
  const settings = findOidcSettings(services)
  if (!settings) throw new OidcRefused('not-set-up')
  return settings
}

/** The provider redirects to a page rather than an API call, so no cookie or URL has to carry a session. */
export const getCallbackUrl = ({ settings }: Pick<Services, 'settings'>): string => `${settings.publicUrl}/login`

/** Discovered on first use, never at start: a provider that is down must not stop Keeper. @throws Error of openid-client */
export function discoverProvider(services: Services): Promise<Configuration> {
  const now = services.now().getTime()
  const cached = discoveries.get(services)
  if (cached && cached.expiresAt > now) return cached.configuration
  const configuration = loadConfiguration(services, requireOidcSettings(services))
  const discovery = { configuration, expiresAt: now + hourMs }
  discoveries.set(services, discovery)
  configuration.catch(() => {
    discovery.expiresAt = now + failureLifetimeMs
  })
  return configuration
}

async function loadConfiguration(services: Services, settings: OidcSettings): Promise<Configuration> {
  const client = await import('openid-client')
  const discover = (issuer: URL) =>
    client.discovery(issuer, settings.clientId, undefined, createClientAuth(client, settings), {
      [client.customFetch]: createProviderFetch(services, settings),
      timeout: answerTimeoutSeconds,
      execute: [
        // By default the library trusts TLS and doesn't check the signature of ID tokens.
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    })
  const { issuer } = settings
  try {
    return await discover(new URL(issuer))
  } catch (error) {
    if ((error as { code?: string }).code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
    // Tokens name the issuer as the provider writes it, often with a slash that operators leave out.
    return discover(new URL(issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`))
  }
}

function createClientAuth(client: typeof import('openid-client'), { clientSecret }: OidcSettings): ClientAuth {
  if (clientSecret === null) return client.None()
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported
    // Basic is the standard's default, and most providers preset it for a new client.
    const authenticate = methods && !methods.includes('client_secret_basic') ? post : basic
    return authenticate(server, ...request)
  }
}

/** Connects to public hosts, and to those in private networks that the operator allowed. */
export function createProviderFetch({ egress }: Services, { privateHosts }: OidcSettings): CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const isPrivate = privateHosts.includes(url.host)
    const providerFetch = createEgressFetch({
      ...egress,
      hosts: [stripBrackets(url.hostname)],
      ports: [Number(url.port || (url.protocol === 'https:' ? 443 : 80))],
      ...(isPrivate && { canConnect: (target: string) => !isLinkLocalAddress(target) }),
    })
    if (url.protocol !== 'https:' && !isPrivate) throw new ProviderUnavailable(`${url.host} has no https:// address`)
    try {
      const response = await providerFetch(address, {
        method,
        headers,
        body: body == null ? null : String(body),
        ...(signal && { signal }),
      })
      if (response.status >= 500) throw new ProviderUnavailable(`${url.host} responded with status ${response.status}`)
      return await readLimited(response)
    } catch (error) {
      throw error instanceof ProviderUnavailable ? error : new ProviderUnavailable((error as Error).message, error)
    }
  }
}

async function readLimited(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    byteCount += chunk.length
    if (byteCount > maxAnswerBytes) throw new ProviderUnavailable('the answer is larger than 1 MB')
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(byteCount === 0 ? null : Buffer.concat(chunks), { status, statusText, headers })
}

/** The provider's sign-out page, which returns to the sign-in page; `null` if it has none. */
export async function buildEndSessionUrl(services: Services): Promise<string | null> {
  const client = await import('openid-client')
  const configuration = await discoverProvider(services)
  if (configuration.serverMetadata().end_session_endpoint === undefined) return null
  return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: getCallbackUrl(services) }).href
}
