import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Record<string, unknown>

/** Deviations of the next sign-in from the standard. */
export interface IssuerBehavior {
  claims?: Claims
  /** Claims of the userinfo endpoint only. */
  userInfo?: Claims
  /** Claims that replace those of the ID token; undefined removes one. */
  token?: Claims
  header?: Claims
  signature?: 'wrong' | 'none'
  /** Signs with a key of this algorithm, RS256 by default. */
  algorithm?: SigningAlgorithm
  /** Userinfo as a signed token instead of JSON. */
  hasSignedUserInfo?: boolean
  /** Status of every answer. */
  status?: number
  tokenError?: string
  /** Bytes of an answer that is far too large. */
  answerBytes?: number
}

const signingAlgorithms = ['RS256', 'ES256', 'ES384', 'EdDSA'] as const
type SigningAlgorithm = (typeof signingAlgorithms)[number]

export interface OidcIssuerFake {
  issuer: string
  host: string
  clientId: string
  clientSecret: string
  behavior: IssuerBehavior
  /** Issued codes and tokens, which must never be in a log. */
  secrets: string[]
  requests: { path: string; authorization: string | undefined; body: URLSearchParams }[]
  /** Signs in at the provider as a browser would. Returns the query for the callback. */
  authorize(url: string, subject?: string): string
  /** A signed logout token for Keeper; undefined removes a claim. */
  createLogoutToken(claims: Claims): string
  /** Replaces the keys, as providers do from time to time. */
  rotateKeys(): void
  close(): Promise<void>
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Grant {
  nonce: string
  challenge: string
  redirectUri: string
  subject: string
  requestsAuthTime: boolean
}

/** A small OpenID Connect provider that can deviate from the standard. */
export async function startOidcIssuer(): Promise<OidcIssuerFake> {
  const createKeys = () => ({
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    EdDSA: generateKeyPairSync('ed25519'),
  })
  let keys = createKeys()
  let generation = 1
  const getKeyId = (algorithm: SigningAlgorithm) => `${algorithm}-${generation}`
  const wrongKeys = createKeys()
  const encryptionKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, Grant>()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', fake.issuer)
    let text = ''
    for await (const chunk of request) text += chunk
    const body = new URLSearchParams(text)
    fake.requests.push({ path: pathname, authorization: request.headers.authorization, body })
    if (fake.behavior.status) return void response.writeHead(fake.behavior.status).end()
    if (fake.behavior.answerBytes) return void sendJson(response, { padding: 'x'.repeat(fake.behavior.answerBytes) })
    if (pathname === '/.well-known/openid-configuration') return void sendJson(response, getMetadata())
    if (pathname === '/jwks')
      return void sendJson(response, {
        keys: [
          { ...encryptionKeys.publicKey.export({ format: 'jwk' }), kid: 'enc', alg: 'RSA-OAEP', use: 'enc' },
          ...signingAlgorithms.map((alg) => ({
            ...keys[alg].publicKey.export({ format: 'jwk' }),
            kid: getKeyId(alg),
            alg,
            use: 'sig',
          })),
        ],
      })
    if (pathname === '/token') return void answerToken(response, body, request.headers.authorization)
    if (pathname === '/userinfo') {
      const subject = /^Bearer access-(.+)$/.exec(request.headers.authorization ?? '')?.[1]
      const claims = { sub: subject, ...fake.behavior.claims, ...fake.behavior.userInfo }
      if (!fake.behavior.hasSignedUserInfo) return void sendJson(response, claims)
      response.setHeader('content-type', 'application/jwt')
      return void response.end(signToken({ iss: issuer, aud: fake.clientId, ...claims }))
    }
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: OidcIssuerFake = {
    issuer,
    host: new URL(issuer).host,
    clientId: 'keeper',
    clientSecret: 'a client secret with % and :',
    behavior: {},
    secrets: [],
    requests: [],
    authorize(url, subject = 'ada-at-home') {
      const query = new URL(url).searchParams
      const code = `code-${codes.size}-${Math.random().toString(36).slice(2)}`
      fake.secrets.push(code)
      codes.set(code, {
        nonce: query.get('nonce') ?? '',
        challenge: query.get('code_challenge') ?? '',
        redirectUri: query.get('redirect_uri') ?? '',
        subject,
        requestsAuthTime: query.has('max_age'),
      })
      return new URLSearchParams({ code, state: query.get('state') ?? '', iss: issuer }).toString()
    },
    createLogoutToken(claims) {
      const now = Math.floor(Date.now() / 1000)
      const event = 'http://schemas.openid.net/event/backchannel-logout'
      const jti = `${now}-${Math.random().toString(36).slice(2)}`
      const standardClaims = { iss: issuer, aud: fake.clientId, iat: now, exp: now + 120, jti, events: { [event]: {} } }
      return signToken({ ...standardClaims, ...claims })
    },
    rotateKeys() {
      keys = createKeys()
      generation++
    },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }

  const getMetadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    userinfo_signing_alg_values_supported: ['none', ...signingAlgorithms],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })

  function answerToken(response: ServerResponse, body: URLSearchParams, authorization: string | undefined) {
    const grant = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const [id, secret] = Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64')
      .toString()
      .split(':')
      .map((text) => decodeURIComponent(text.replaceAll('+', ' ')))
    if (id !== fake.clientId || secret !== fake.clientSecret)
      return sendJson(response, { error: 'invalid_client' }, 401)
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isValid = grant?.challenge === challenge && grant.redirectUri === body.get('redirect_uri')
    if (fake.behavior.tokenError || !grant || !isValid)
      return sendJson(
        response,
        { error: fake.behavior.tokenError ?? 'invalid_grant', error_description: 'secret text' },
        400,
      )
    const idToken = createToken(grant)
    const accessToken = `access-${grant.subject}`
    fake.secrets.push(idToken, accessToken)
    return sendJson(response, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: idToken,
    })
  }

  function createToken({ nonce, subject, requestsAuthTime }: Grant): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: fake.clientId,
      sub: subject,
      iat: now,
      exp: now + 300,
      nonce,
      ...(requestsAuthTime && { auth_time: now }),
      ...fake.behavior.claims,
      ...fake.behavior.token,
    }
    return signToken(claims)
  }

  function signToken(claims: Claims): string {
    const { algorithm = 'RS256', signature, header } = fake.behavior
    const standardHeader = { alg: algorithm, kid: getKeyId(algorithm), typ: 'JWT' }
    const content = `${encode({ ...standardHeader, ...header })}.${encode(claims)}`
    if (signature === 'none') return `${content}.`
    const { privateKey } = (signature === 'wrong' ? wrongKeys : keys)[algorithm]
    const hashName = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`
    const bytes = sign(hashName, Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${content}.${bytes.toString('base64url')}`
  }
  return fake
}

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Settings of a Keeper that signs people in with this provider. */
export const getIssuerSettings = ({ issuer, host, clientId, clientSecret }: OidcIssuerFake) => ({
  KEEPER_PUBLIC_URL: 'http://localhost',
  KEEPER_OIDC_ISSUER: issuer,
  KEEPER_OIDC_CLIENT_ID: clientId,
  KEEPER_OIDC_CLIENT_SECRET: clientSecret,
  KEEPER_OIDC_LABEL: 'Harbour ID',
  KEEPER_OIDC_PRIVATE_HOSTS: host,
})
