import { emailAddress } from '#contract/accounts/email-address.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import type { Services } from '#server/services.ts'
import type { OidcSettings } from '#server/settings/oidc-settings.ts'
import { isObject } from '#server/values/is-object.ts'
import { type OidcFlow, openFromBrowser } from './flow.ts'
import { discoverProvider, getCallbackUrl, requireOidcSettings } from './provider.ts'
import { OidcRefused } from './refusals.ts'

export type Claims = Record<string, unknown>

/** The person according to the provider. Only issuer and subject identify them. */
export interface ProvenIdentity {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  claims: Claims
  /** Milliseconds since the person signed in at the provider; `null` if it doesn't say when. */
  ageMs: number | null
  /** The provider's own session. */
  providerSession: string | null
}

/** For a provider whose clock is ahead; the library allows 30 s for the other times. */
const maxFutureSeconds = 300
/** The clocks of a provider's processes can differ. */
const toleranceMs = 30_000
/** OpenID Connect limits subjects to this; it sets no limit for session IDs. */
const maxIdLength = 255

/** The purpose, person and session that a flow must belong to. */
type ExpectedFlow = Pick<OidcFlow, 'purpose'> & Partial<Pick<OidcFlow, 'personId' | 'sessionId'>>

/** Exchanges the answer of the provider. @throws OidcRefused, or errors of openid-client */
export async function readIdentity(
  services: Services,
  { purpose, personId = null, sessionId = null }: ExpectedFlow,
  answer: { flow: string; query: string },
): Promise<{ flow: OidcFlow; identity: ProvenIdentity }> {
  const settings = requireOidcSettings(services)
  const flow = await openFromBrowser<OidcFlow>(services, 'flow', answer.flow)
  const currentUrl = new URL(`?${answer.query.replace(/^\?/, '')}`, getCallbackUrl(services))
  if (flow.purpose !== purpose || currentUrl.searchParams.get('state') !== flow.state) throw new OidcRefused('expired')
  if (flow.personId !== personId || flow.sessionId !== sessionId) throw new OidcRefused('other-person')
  const client = await import('openid-client')
  const configuration = await discoverProvider(services)
  const tokens = await client.authorizationCodeGrant(configuration, currentUrl, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  })
  const idClaims = tokens.claims()
  if (!idClaims) throw new OidcRefused('not-verified')
  if (idClaims.iat > Date.now() / 1000 + maxFutureSeconds) throw new OidcRefused('wrong-time')
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  const userInfo = hasUserInfo
    ? await client.fetchUserInfo(configuration, tokens.access_token, idClaims.sub)
    : ({} as Claims)
  const { iss, sub } = idClaims
  if (sub.length > maxIdLength) throw new OidcRefused('not-verified')
  return {
    flow,
    identity: {
      issuer: iss,
      subject: sub,
      ...readProfile(settings, idClaims, userInfo),
      ageMs: readAge(idClaims),
      providerSession: readProviderSession(idClaims.sid),
    },
  }
}

/** Compares two times of the provider's clock, since the token was issued just now. @throws OidcRefused for a sign-in in the future */
function readAge({ iat, auth_time: authTime }: { iat: number; auth_time?: unknown }): number | null {
  if (typeof authTime !== 'number' || !Number.isFinite(authTime)) return null
  const ageMs = (iat - authTime) * 1000
  if (ageMs < -toleranceMs) throw new OidcRefused('wrong-time')
  return Math.max(0, ageMs)
}

/** Rejects long session IDs, which a logout couldn't find later. */
export function readProviderSession(sid: unknown): string | null {
  return typeof sid === 'string' && sid !== '' && sid.length <= maxIdLength ? sid : null
}

/** Some claims are only in the userinfo. The address and its verification come from the same answer. */
function readProfile(settings: OidcSettings, idClaims: Claims, userInfo: Claims) {
  const claims = { ...idClaims, ...userInfo }
  const { required, emailClaim, nameClaim, trustsEmail } = settings
  if (required && !listValues(getClaim(claims, required.claim))?.includes(required.value))
    throw new OidcRefused('not-allowed')
  const emailSource = getClaim(userInfo, emailClaim) === undefined ? idClaims : userInfo
  const email = emailAddress.safeParse(getClaim(emailSource, emailClaim))
  const isMarkedVerified =
    emailClaim === 'email' && [true, 'true'].includes(emailSource.email_verified as boolean | string)
  return {
    claims,
    email: email.success ? email.data : null,
    isEmailVerified: trustsEmail || isMarkedVerified,
    name: readName(getClaim(claims, nameClaim)),
  }
}

function readName(value: unknown): string | null {
  const name = typeof value === 'string' ? cleanOneLine(value.slice(0, 120)) : ''
  try {
    refuseLinkInName('name', name)
    return name || null
  } catch {
    return null
  }
}

/** A claim by its name, which can contain dots, or by its path. */
export function getClaim(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined),
      claims,
    )
}

/** The values of a claim with one or several; undefined if it is missing, which isn't the same as empty. */
export function listValues(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined
}
