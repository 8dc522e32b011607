import type { FetchImplementation, JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Configuration } from 'openid-client'
import type { Services } from '#server/services.ts'
import { isObject } from '#server/values/is-object.ts'
import { createProviderFetch, discoverProvider, requireOidcSettings } from './provider.ts'
import { readProviderSession } from './read-identity.ts'
import { ProviderUnavailable } from './refusals.ts'

/** The person and the session of the provider that have ended; at least one of `subject` and `providerSession` is set. */
export interface LogoutToken {
  issuer: string
  subject: string | null
  providerSession: string | null
  /** Unique for the issuer. */
  tokenId: string
}

/** A token that isn't a logout of this provider for this server; the message names the check. */
export class LogoutTokenRefused extends Error {}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Used tokens are remembered at least this long. */
export const maxTokenAgeSeconds = 10 * 60
export const clockToleranceSeconds = 60
const keyTimeoutMs = 10_000
/** Providers from before the type was recommended send `JWT`, or nothing. */
const acceptedTypes = new Set(['', 'jwt', 'logout+jwt', 'application/logout+jwt'])

const publicKeyAlgorithm = /^(?:RS|PS|ES)\d|^Ed/

const keySets = new WeakMap<Configuration, JWTVerifyGetKey>()

/** Makes the checks of OpenID Connect Back-Channel Logout 1.0, section 2.6. @throws LogoutTokenRefused, ProviderUnavailable */
export async function readLogoutToken(services: Services, token: string): Promise<LogoutToken> {
  const { decodeJwt, decodeProtectedHeader, errors, jwtVerify } = await import('jose')
  const { clientId, issuer: configuredIssuer } = requireOidcSettings(services)
  try {
    // A forged token costs no request to the provider.
    const { iss, aud } = decodeJwt(token)
    const isSameIssuer = iss?.replace(/\/$/, '') === configuredIssuer.replace(/\/$/, '')
    if (!isSameIssuer || ![aud].flat().includes(clientId)) throw new LogoutTokenRefused('the issuer or audience')
    const { typ } = decodeProtectedHeader(token)
    if (!acceptedTypes.has(String(typ ?? '').toLowerCase())) throw new LogoutTokenRefused('the type')
    const configuration = await discoverProvider(services)
    const { issuer, id_token_signing_alg_values_supported: algorithms = ['RS256'] } = configuration.serverMetadata()
    const { payload } = await jwtVerify(token, await findKeys(services, configuration), {
      issuer,
      audience: clientId,
      // With a shared-secret algorithm, anyone could sign with the provider's public key.
      algorithms: algorithms.filter((name) => publicKeyAlgorithm.test(name)),
      requiredClaims: ['iat', 'jti'],
      maxTokenAge: maxTokenAgeSeconds,
      clockTolerance: clockToleranceSeconds,
    })
    return { issuer, ...readClaims(payload) }
  } catch (error) {
    const isKeyFailure = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid
    // jose reports an answer with a status other than 200 under its general code.
    if (isKeyFailure || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC'))
      throw new ProviderUnavailable('the keys of the provider could not be read', error)
    if (error instanceof errors.JOSEError) throw new LogoutTokenRefused(`${error.code}: ${error.message}`)
    throw error
  }
}

async function findKeys(services: Services, configuration: Configuration): Promise<JWTVerifyGetKey> {
  const cached = keySets.get(configuration)
  if (cached) return cached
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const { jwks_uri: address } = configuration.serverMetadata()
  if (address === undefined) throw new ProviderUnavailable('the provider names no address for its keys')
  const providerFetch = createProviderFetch(services, requireOidcSettings(services))
  const fetchKeys: FetchImplementation = (url, { method, headers, signal }) =>
    providerFetch(url, { method, headers: Object.fromEntries(headers), signal, body: null, redirect: 'manual' })
  const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: keyTimeoutMs, [customFetch]: fetchKeys })
  keySets.set(configuration, keys)
  return keys
}

function readClaims(payload: JWTPayload): Omit<LogoutToken, 'issuer'> {
  const { sub, sid, jti, events } = payload
  if (!isObject(events) || !isObject((events as Record<string, unknown>)[logoutEvent]))
    throw new LogoutTokenRefused('the event')
  // Only ID tokens have a nonce; this refuses one that is sent as a logout token.
  if (Object.hasOwn(payload, 'nonce')) throw new LogoutTokenRefused('the nonce')
  const providerSession = readProviderSession(sid)
  if (sid !== undefined && providerSession === null) throw new LogoutTokenRefused('the session')
  if (typeof jti !== 'string' || jti === '') throw new LogoutTokenRefused('the token’s ID')
  if (sub !== undefined && (typeof sub !== 'string' || sub === '')) throw new LogoutTokenRefused('the subject')
  if (sub === undefined && providerSession === null) throw new LogoutTokenRefused('the subject and the session')
  return { subject: sub ?? null, providerSession, tokenId: jti }
}
