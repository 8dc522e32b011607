import { openSealed } from '#server/keys/sealer.ts'
import type { Services } from '#server/services.ts'
import { discoverProvider, getCallbackUrl, requireOidcSettings } from './provider.ts'
import { OidcRefused } from './refusals.ts'

export const flowLifetimeMs = 10 * 60 * 1000

export interface OidcFlow {
  purpose: 'sign-in' | 'link' | 'prove'
  state: string
  nonce: string
  verifier: string
  /** The person who connects an identity, or confirms who they are. */
  personId: string | null
  /** The session that a confirmation counts for. */
  sessionId: string | null
  invitationToken: string | null
}

/** Sealed in the browser until the callback, so that no process has to remember it. */
export function sealForBrowser(services: Services, kind: string, value: object): string {
  const expiresAt = services.now().getTime() + flowLifetimeMs
  return services.sealer.seal(JSON.stringify({ ...value, expiresAt }), `oidc ${kind}`)
}

/** Opens a value of `sealForBrowser`. @throws OidcRefused if it is expired or forged */
export async function openFromBrowser<Value>(services: Services, kind: string, sealed: string): Promise<Value> {
  const text = await openSealed(services, sealed, `oidc ${kind}`)
  const value = text === undefined ? undefined : (JSON.parse(text) as Value & { expiresAt: number })
  if (!value || value.expiresAt <= services.now().getTime()) throw new OidcRefused('expired')
  return value
}

/** The address to send the person to, with the state and the sealed flow that the page stores for the callback. */
export async function startFlow(
  services: Services,
  options: Pick<OidcFlow, 'purpose'> & Partial<OidcFlow>,
): Promise<{ url: string; state: string; flow: string }> {
  const client = await import('openid-client')
  const { scopes } = requireOidcSettings(services)
  const configuration = await discoverProvider(services)
  const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: getCallbackUrl(services),
    scope: scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Requests a new sign-in and its time. Providers can ignore both, so `proveWithProvider` checks the time.
    ...(options.purpose === 'prove' && { prompt: 'login', max_age: '0' }),
  })
  const flow: OidcFlow = { personId: null, sessionId: null, invitationToken: null, ...options, state, nonce, verifier }
  return { url: url.href, state, flow: sealForBrowser(services, 'flow', flow) }
}
