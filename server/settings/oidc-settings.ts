import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import { isObject } from '#server/values/is-object.ts'
import { BadSetting } from './environment.ts'
import type { SettingReader } from './setting-reader.ts'

export interface OidcSettings {
  /** As the provider writes it; a slash at its end counts. */
  issuer: string
  clientId: string
  /** `null`: a public client. */
  clientSecret: string | null
  /** Shown on the button after "Sign in with". */
  label: string
  scopes: string
  /** Exact `host` or `host:port` in private networks, also without TLS. */
  privateHosts: string[]
  /** The operator vouches for every email address of the provider. */
  trustsEmail: boolean
  emailClaim: string
  nameClaim: string
  /** A claim that must have this value, or contain it; `null`: everyone can sign in. */
  required: { claim: string; value: string } | null
  roles: { claim: string; byValue: ReadonlyMap<string, PlatformRole> } | null
}

const maxLabelLength = 60
const maxRoleValues = 200
const rolesExample = '{"keeper-admins": "admin"}'
const claimPattern = /^[^\s=]{1,200}$/

/** Returns `null` without an issuer. @throws BadSetting without any value, since values can be secret */
export function readOidc(reader: SettingReader): OidcSettings | null {
  const settings = {
    clientId: reader.text('KEEPER_OIDC_CLIENT_ID'),
    clientSecret: reader.text('KEEPER_OIDC_CLIENT_SECRET'),
    label: reader.text('KEEPER_OIDC_LABEL'),
    scopes: reader.text('KEEPER_OIDC_SCOPES') ?? 'openid email profile',
    privateHosts: reader.hostsWithPorts('KEEPER_OIDC_PRIVATE_HOSTS'),
    trustsEmail: reader.choice('KEEPER_OIDC_TRUST_EMAIL', ['on', 'off'], 'off') === 'on',
    emailClaim: readClaim(reader, 'KEEPER_OIDC_EMAIL_CLAIM') ?? 'email',
    nameClaim: readClaim(reader, 'KEEPER_OIDC_NAME_CLAIM') ?? 'name',
    required: readRequiredClaim(reader.text('KEEPER_OIDC_REQUIRED')),
    roles: readRoles(readClaim(reader, 'KEEPER_OIDC_ROLES_CLAIM'), reader.text('KEEPER_OIDC_ROLES')),
  }
  const issuer = reader.text('KEEPER_OIDC_ISSUER')
  if (issuer === null) return null
  const { clientId, label, scopes, privateHosts } = settings
  const url = readIssuer(issuer)
  if (url.protocol === 'http:' && !privateHosts.includes(url.host))
    throw new BadSetting(
      `KEEPER_OIDC_ISSUER must start with https://. For a provider in your own network without a certificate, add "${url.host}" to KEEPER_OIDC_PRIVATE_HOSTS.`,
    )
  if (clientId === null) throw new BadSetting('KEEPER_OIDC_ISSUER needs KEEPER_OIDC_CLIENT_ID.')
  if (!scopes.split(/\s+/).includes('openid')) throw new BadSetting('KEEPER_OIDC_SCOPES must contain "openid".')
  if (label !== null && label.length > maxLabelLength)
    throw new BadSetting(`KEEPER_OIDC_LABEL must have at most ${maxLabelLength} characters.`)
  return { ...settings, issuer, clientId, label: label ?? url.hostname }
}

function readIssuer(issuer: string): URL {
  const url = URL.parse(issuer)
  if (!url || !/^https?:\/\//.test(issuer) || url.username || url.password || /[?#]/.test(issuer))
    throw new BadSetting(
      'KEEPER_OIDC_ISSUER must be the address of the identity provider, such as https://id.example.com/realms/home, without a username, "?" or "#".',
    )
  if (url.pathname.endsWith('/.well-known/openid-configuration'))
    throw new BadSetting('KEEPER_OIDC_ISSUER must be the issuer, without /.well-known/openid-configuration at its end.')
  return url
}

function readClaim(reader: SettingReader, name: string): string | null {
  const claim = reader.text(name)
  if (claim !== null && !claimPattern.test(claim))
    throw new BadSetting(`${name} must be the name of a claim, such as groups or realm_access.roles.`)
  return claim
}

function readRequiredClaim(text: string | null): OidcSettings['required'] {
  if (text === null) return null
  const [, claim, value] = /^([^\s=]{1,200})=(.{1,200})$/.exec(text) ?? []
  if (claim === undefined || value === undefined)
    throw new BadSetting('KEEPER_OIDC_REQUIRED must be a claim and its value, such as groups=family.')
  return { claim, value }
}

function readRoles(claim: string | null, text: string | null): OidcSettings['roles'] {
  if (text === null && claim === null) return null
  if (text === null) throw new BadSetting(`KEEPER_OIDC_ROLES_CLAIM needs KEEPER_OIDC_ROLES, such as ${rolesExample}.`)
  const badSetting = (reason: string) =>
    new BadSetting(`KEEPER_OIDC_ROLES must be JSON such as ${rolesExample}: ${reason}.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw badSetting('it is not valid JSON')
  }
  if (!isObject(parsed)) throw badSetting('it is not an object')
  const byValue = new Map<string, PlatformRole>()
  for (const [value, role] of Object.entries(parsed)) {
    if (role === 'super-admin')
      throw badSetting('super-admin can’t come from a claim. Use "npm run admin" or the roles page')
    if (!platformRoles.includes(role as PlatformRole))
      throw badSetting(`a role must be one of ${platformRoles.filter((name) => name !== 'super-admin').join(', ')}`)
    byValue.set(value, role as PlatformRole)
  }
  if (byValue.size > maxRoleValues) throw badSetting(`it holds more than ${maxRoleValues} values`)
  return { claim: claim ?? 'groups', byValue }
}
