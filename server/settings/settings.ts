import { isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'
import { domainToASCII } from 'node:url'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { checkBaseUrl } from '#contract/providers/check-base-url.ts'
import { type BuiltInProvider, builtInProviders } from '#contract/providers/registry.ts'
import { isObject } from '#server/values/is-object.ts'
import type { TrustedCertificates } from '../http/trusted-certificates.ts'
import { BadSetting, type Environment, findEnvFile } from './environment.ts'
import { type MailSettings, readMailSettings } from './mail-sender.ts'
import { type ModelTimeouts, timeoutSettings } from './model-limits.ts'
import { type MonitoringSettings, readMonitoring } from './monitoring.ts'
import { type OidcSettings, readOidc } from './oidc-settings.ts'
import { type OutgoingProxy, readOutgoingProxy } from './outgoing-proxy.ts'
import { createSettingReader, quoteRefused, type SettingReader } from './setting-reader.ts'
import { findUnusedVariables, listSettingsWithoutEffect } from './without-effect.ts'

export { BadSetting, readEnvironment } from './environment.ts'

export interface ProviderSettings {
  key: string | null
  /** With its version path, plus the query appended to call paths; `null`: the provider's own address. */
  baseUrl: string | null
}

export interface ConfiguredService extends ProviderSettings {
  id: string
  name: string
  baseUrl: string
  headers: Record<string, string>
}

export interface McpServer {
  name: string
  url: string
  headers: Record<string, string>
  /** Read-only tools of this server run without asking, even in runs that read keeper data. */
  trusted: boolean
  ignored: string[]
}

export interface CustomDomainSettings {
  /** `null`: custom domains can be recorded, but not served. */
  driver: 'vercel' | 'dns' | null
  vercel: { baseUrl: string; token: string | null; projectId: string | null; teamId: string | null }
  /** `host:port` with a numeric host. */
  dnsServers: string[]
  edgeHost: string | null
  edgeIps: string[]
}

export interface BucketSettings {
  endpoint: string
  region: string
  bucket: string
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Argon2id parameters: KiB of memory, passes, lanes. */
export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's minimum: 19 MiB, two passes, one lane. */
const owaspCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

export interface Settings extends MailSettings, MonitoringSettings {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | null
  databaseDirectUrl: string | null
  databaseCaFile: string | null
  publicUrl: string | null
  secret: string | null
  registration: 'open' | 'invite' | 'closed'
  oidc: OidcSettings | null
  /** Maximum session age in days; 0: unlimited. */
  sessionDays: number
  /** Number of trusted proxies, which decides how much of X-Forwarded-For counts. */
  trustedProxies: number
  providers: Record<BuiltInProvider, ProviderSettings>
  services: ConfiguredService[]
  modelTimeouts: ModelTimeouts
  modelCatalog: string | null
  fetchHosts: string[]
  /** Exact `host` or `host:port`, also in private networks. */
  importHosts: string[]
  mcpServers: McpServer[]
  toolTimeouts: {
    listMs: number
    silenceMs: number
    totalMs: number
  }
  bucket: BucketSettings | null
  customDomains: CustomDomainSettings
  proxy: OutgoingProxy
  certificates: TrustedCertificates
  /** Time zone from `TZ`; `null` uses the machine's. */
  timeZone: string | null
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  notes: string[]
  /** Nightly backups to keep of the embedded database; 0: none are made. */
  nightlyBackups: number
  limits: {
    signInPerAccount: number
    signInPerAddress: number
    registrationsPerHour: number
    /** For all people together; 0: invitation links are copied instead. */
    invitationEmailsPerDay: number
    /** Pictures and recordings together; 0: no limit. */
    mediaBytesPerPerson: number
    /** Texts and everything else in the database; 0: no limit. */
    textBytesPerPerson: number
    rowsPerPerson: number
    runsPerPerson: number
    visitorConcurrency: number
    visitorRunsPerMinute: number
    visitorRunsPerDay: number
    visitorRunsPerAgentPerDay: number
  }
  /** Not configurable, since a cheap check is cheap to guess; only tests lower it. */
  passwordCost: PasswordCost
  /** Validates every response against the contract; only in tests, as it costs a tenth of the throughput. */
  checkAnswers: boolean
}

const postgresSchemes = ['postgres:', 'postgresql:']

export function readSettings(environment: Environment): Settings {
  const envFile = findEnvFile(environment)
  const notes = envFile?.notes.slice() ?? []
  const addNote = (text: string) => void notes.push(text)
  const reader = createSettingReader(environment, addNote)
  const publicUrl = reader.publicUrl('KEEPER_PUBLIC_URL')
  const settings: Settings = {
    port: reader.wholeNumber('PORT', 3000, 0, 65_535),
    host: reader.host('HOST', '127.0.0.1'),
    dataDir: resolve(reader.text('KEEPER_DATA_DIR') ?? 'data'),
    databaseUrl: reader.url('DATABASE_URL', postgresSchemes),
    databaseDirectUrl: reader.url('DATABASE_DIRECT_URL', postgresSchemes),
    databaseCaFile: reader.text('DATABASE_CA_FILE'),
    publicUrl,
    secret: reader.secret('KEEPER_SECRET'),
    registration: reader.choice('KEEPER_REGISTRATION', ['open', 'invite', 'closed'], 'open'),
    oidc: readOidc(reader),
    sessionDays: reader.wholeNumber('KEEPER_SESSION_DAYS', 90, 0, 36_500),
    trustedProxies: reader.wholeNumber('KEEPER_TRUSTED_PROXIES', 0, 0, 10),
    providers: Object.fromEntries(
      builtInProviders.map(({ id }) => [id, readProvider(reader, id.toUpperCase(), addNote)]),
    ) as Settings['providers'],
    services: readServices(reader.text('KEEPER_PROVIDERS'), addNote),
    modelTimeouts: readModelTimeouts(reader),
    modelCatalog: reader.text('KEEPER_MODEL_CATALOG'),
    fetchHosts: reader.hosts('KEEPER_FETCH_HOSTS'),
    importHosts: reader.hostsWithPorts('KEEPER_IMPORT_HOSTS'),
    mcpServers: readMcpServers(reader.text('KEEPER_MCP_SERVERS')),
    toolTimeouts: {
      listMs: reader.wholeNumber('KEEPER_TOOL_TIMEOUT_LIST_SECONDS', 10, 1, 600) * 1000,
      silenceMs: reader.wholeNumber('KEEPER_TOOL_TIMEOUT_SECONDS', 60, 1, 86_400) * 1000,
      totalMs: reader.wholeNumber('KEEPER_TOOL_TIMEOUT_TOTAL_SECONDS', 900, 1, 86_400) * 1000,
    },
    ...readMailSettings(reader, publicUrl, addNote),
    ...readMonitoring(reader, addNote),
    bucket: readBucket(reader),
    customDomains: readCustomDomains(reader),
    proxy: readOutgoingProxy(
      {
        http: reader.eitherCase('HTTP_PROXY'),
        https: reader.eitherCase('HTTPS_PROXY'),
        all: reader.eitherCase('ALL_PROXY'),
        noProxy: reader.eitherCase('NO_PROXY'),
      },
      addNote,
    ),
    certificates: {
      files: [reader.variable('NODE_EXTRA_CA_CERTS'), reader.variable('SSL_CERT_FILE')].filter((file) => file !== null),
      folder: reader.text('SSL_CERT_DIR'),
    },
    timeZone: reader.text('TZ'),
    notes,
    logLevel: reader.choice('KEEPER_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    nightlyBackups: reader.wholeNumber('KEEPER_NIGHTLY_BACKUPS', 7, 0, 1_000),
    limits: {
      signInPerAccount: reader.wholeNumber('KEEPER_SIGN_IN_FAILURES_PER_ACCOUNT', 10, 1, 1_000_000),
      signInPerAddress: reader.wholeNumber('KEEPER_SIGN_IN_FAILURES_PER_ADDRESS', 100, 1, 1_000_000),
      registrationsPerHour: reader.wholeNumber('KEEPER_REGISTRATIONS_PER_HOUR', 60, 1, 1_000_000),
      invitationEmailsPerDay: reader.wholeNumber('KEEPER_INVITATION_EMAILS_PER_DAY', 500, 0, 1_000_000),
      mediaBytesPerPerson: reader.wholeNumber('KEEPER_FILES_MB_PER_PERSON', 20_480, 0, 1_000_000_000) * 1024 * 1024,
      textBytesPerPerson: reader.wholeNumber('KEEPER_TEXT_MB_PER_PERSON', 2048, 0, 1_000_000_000) * 1024 * 1024,
      rowsPerPerson: reader.wholeNumber('KEEPER_ROWS_PER_PERSON', 2_000_000, 0, 1_000_000_000_000),
      runsPerPerson: reader.wholeNumber('KEEPER_RUNS_PER_PERSON', 256, 1, 100_000),
      visitorConcurrency: reader.wholeNumber('KEEPER_VISITOR_RUNS_AT_ONCE', 2, 0, 10_000),
      visitorRunsPerMinute: reader.wholeNumber('KEEPER_VISITOR_RUNS_PER_MINUTE', 10, 0, 100_000),
      visitorRunsPerDay: reader.wholeNumber('KEEPER_VISITOR_RUNS_PER_DAY', 50, 0, 1_000_000),
      visitorRunsPerAgentPerDay: reader.wholeNumber('KEEPER_VISITOR_RUNS_PER_AGENT_PER_DAY', 500, 0, 1_000_000_000),
    },
    passwordCost: owaspCost,
    checkAnswers: false,
  }
  for (const [name, value] of [
    ['DATABASE_DIRECT_URL', settings.databaseDirectUrl],
    ['DATABASE_CA_FILE', settings.databaseCaFile],
  ])
    if (value !== null && settings.databaseUrl === null) addNote(`${name} has no effect without DATABASE_URL`)
  notes.push(
    ...listSettingsWithoutEffect(settings, reader),
    ...findUnusedVariables(environment, reader.names, new Set(envFile?.names)),
  )
  return settings
}

function readProvider(reader: SettingReader, prefix: string, addNote: (text: string) => void): ProviderSettings {
  // Docker's env files keep quotes as part of the value.
  const key = reader.asciiText(`${prefix}_API_KEY`)?.replace(/^(["'])(.+)\1$/, '$2') ?? null
  const name = `${prefix}_BASE_URL`
  const text = reader.text(name)
  if (text === null) return { key, baseUrl: null }
  const checked = checkBaseUrl(prefix === 'GOOGLE' ? '/v1beta' : '/v1', text)
  if ('refusal' in checked) throw new BadSetting(`${name} ${checked.refusal}.`)
  if (checked.note) addNote(`${name}: ${checked.note}`)
  return { key, baseUrl: `${checked.baseUrl}${checked.query}` }
}

const servicesExample =
  '{"mistral": {"name": "Mistral", "url": "https://api.mistral.ai/v1", "key": "…", "headers": {}}}'
const maxServices = 50

/** Error messages leave keys and headers out, since they are secrets. */
function readServices(value: string | null, addNote: (text: string) => void): ConfiguredService[] {
  if (value === null) return []
  const badSetting = (reason: string) =>
    new BadSetting(`KEEPER_PROVIDERS must be JSON such as ${servicesExample}: ${reason}.`)
  const entries = Object.entries(readJsonObject(value, badSetting))
  if (entries.length > maxServices) throw badSetting(`it holds more than ${maxServices} services`)
  return entries.map(([id, entry]) => {
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id))
      throw badSetting(`"${id.slice(0, 40)}" isn’t a valid ID; use 1 to 40 lowercase letters, digits and hyphens`)
    if (builtInProviders.some((provider) => provider.id === id))
      throw badSetting(`"${id}" comes with Keeper; set ${id.toUpperCase()}_BASE_URL for another address`)
    const { name = id, url, key = null, headers = {}, ...unknownFields } = (entry ?? {}) as Record<string, unknown>
    for (const field of Object.keys(unknownFields))
      addNote(
        `KEEPER_PROVIDERS, ${id}: "${field.slice(0, 40)}" has no effect; a service has name, url, key and headers`,
      )
    if (typeof name !== 'string' || cleanOneLine(name) === '' || name.length > 80)
      throw badSetting(`the name of "${id}" must be text of at most 80 characters`)
    if (typeof url !== 'string') throw badSetting(`the url of "${id}" is missing`)
    const checked = checkBaseUrl('/v1', url)
    if ('refusal' in checked) throw badSetting(`the url of "${id}" ${checked.refusal}`)
    if (checked.note) addNote(`KEEPER_PROVIDERS, ${id}: ${checked.note}`)
    if (key !== null && (typeof key !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(key)))
      throw badSetting(`the key of "${id}" must be text that a header can carry`)
    return {
      id,
      name: cleanOneLine(name),
      key,
      baseUrl: `${checked.baseUrl}${checked.query}`,
      headers: readHeaders(headers, id, badSetting),
    }
  })
}

function readJsonObject(value: string, badSetting: (reason: string) => BadSetting): object {
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    throw badSetting('it is not valid JSON')
  }
  if (!isObject(parsed)) throw badSetting('it is not an object')
  return parsed
}

const headerNamePattern = /^[A-Za-z0-9-]{1,100}$/
const headerValuePattern = /^[\x20-\x7e]*$/

function readHeaders(
  headers: unknown,
  owner: string,
  badSetting: (reason: string) => BadSetting,
): Record<string, string> {
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : null
  const areUsable = entries?.every(
    ([name, text]) => headerNamePattern.test(name) && typeof text === 'string' && headerValuePattern.test(text),
  )
  if (!entries || !areUsable)
    throw badSetting(`the headers of "${owner}" must be names and values that a header can carry`)
  return Object.fromEntries(entries) as Record<string, string>
}

/** In seconds; 0 means the default, which depends on the address. */
function readModelTimeouts(reader: SettingReader): ModelTimeouts {
  return Object.fromEntries(
    Object.entries(timeoutSettings).flatMap(([limit, name]) => {
      const seconds = reader.wholeNumber(name, 0, 0, 86_400)
      return seconds > 0 ? [[limit, seconds * 1000]] : []
    }),
  )
}

/** `{"name": {"url": "https://…", "headers": {…}}}`. Error messages leave the headers out, since they are secrets. */
function readMcpServers(value: string | null): McpServer[] {
  if (value === null) return []
  const badSetting = (reason: string) =>
    new BadSetting(`KEEPER_MCP_SERVERS must be JSON such as {"name": {"url": "https://…", "headers": {}}}: ${reason}.`)
  return Object.entries(readJsonObject(value, badSetting)).map(([name, entry]) => {
    if (!/^[A-Za-z0-9-]{1,30}$/.test(name) || name === 'keeper')
      throw badSetting(
        `"${name.slice(0, 40)}" isn’t a valid name; use 1 to 30 letters, digits and hyphens, and not "keeper"`,
      )
    const { url, headers = {}, trusted = false, ...unknownFields } = (entry ?? {}) as Record<string, unknown>
    const parsed = typeof url === 'string' ? URL.parse(url) : null
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
      throw badSetting(`the url of "${name}" must start with https:// or http://`)
    if (parsed.username || parsed.password)
      throw badSetting(`the url of "${name}" must have no user name and password; put them into its headers`)
    const sentHeaders = readHeaders(headers, name, badSetting)
    if (typeof trusted !== 'boolean') throw badSetting(`"trusted" of "${name}" must be true or false`)
    const ignored = Object.keys(unknownFields)
    return { name, url: parsed.href, headers: sentHeaders, trusted, ignored }
  })
}

function readBucket(reader: SettingReader): BucketSettings | null {
  const bucket = reader.asciiText('S3_BUCKET')
  if (bucket === null) return null
  // Other stores also accept capitals and underscores.
  if (!/^[a-z0-9][a-z0-9._-]{1,253}[a-z0-9]$/i.test(bucket))
    throw new BadSetting(`S3_BUCKET must be the name of a bucket${quoteRefused(bucket)}.`)
  const region = reader.asciiText('S3_REGION') ?? 'us-east-1'
  const prefix = reader.asciiText('S3_PREFIX') ?? ''
  if (!/^(?:[A-Za-z0-9._-]+\/)*$/.test(prefix))
    throw new BadSetting(
      `S3_PREFIX must be names of letters and digits, each followed by a slash${quoteRefused(prefix)}.`,
    )
  const accessKeyId = reader.asciiText('S3_ACCESS_KEY_ID')
  const secretAccessKey = reader.asciiText('S3_SECRET_ACCESS_KEY')
  if (accessKeyId === null || secretAccessKey === null)
    throw new BadSetting('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  const endpoint = reader.baseUrl('S3_ENDPOINT') ?? `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }
}

function readCustomDomains(reader: SettingReader): CustomDomainSettings {
  const driver = reader.choice('CUSTOM_DOMAIN_DRIVER', ['vercel', 'dns', 'none'], 'none')
  const edgeText = reader.text('KEEPER_EDGE_HOST')
  const edgeHost = edgeText === null ? null : domainToASCII(edgeText.replace(/\.$/, '')).toLowerCase()
  if (edgeHost !== null && !/^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(edgeHost))
    throw new BadSetting(
      `KEEPER_EDGE_HOST must be a host name such as edge.example.com${quoteRefused(edgeText ?? '')}.`,
    )
  const edgeIps = reader.list('KEEPER_EDGE_IPS')
  const badAddress = edgeIps.find((address) => isIP(address) === 0)
  if (badAddress !== undefined)
    throw new BadSetting(`KEEPER_EDGE_IPS must be IP addresses separated by commas${quoteRefused(badAddress)}.`)
  if (driver === 'dns' && edgeHost === null && !edgeIps.some(isIPv4))
    throw new BadSetting(
      'CUSTOM_DOMAIN_DRIVER=dns needs KEEPER_EDGE_HOST or KEEPER_EDGE_IPS with an IPv4 address, so that custom domains have a target.',
    )
  return {
    driver: driver === 'none' ? null : driver,
    vercel: {
      baseUrl: reader.baseUrl('VERCEL_API_BASE_URL') ?? 'https://api.vercel.com',
      token: reader.asciiText('VERCEL_TOKEN'),
      projectId: reader.asciiText('VERCEL_PROJECT_ID'),
      teamId: reader.asciiText('VERCEL_TEAM_ID'),
    },
    dnsServers: reader.nameServers('KEEPER_DNS_SERVERS', ['1.1.1.1:53', '8.8.8.8:53']),
    edgeHost,
    edgeIps,
  }
}
