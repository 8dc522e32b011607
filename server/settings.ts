import { readFileSync } from 'node:fs'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Provider, providers } from '#contract/agents/model-settings.ts'
import { trimEndOf } from '#contract/trim-end-of.ts'
import { type ModelTimeouts, timeoutSettings } from './models/model-limits.ts'

interface ProviderSettings {
  /** A platform key that cannot be read back. */
  key: string | null
  /** With its version path; `null` means the provider's own address. */
  baseUrl: string | null
}

/** A tool server the operator connects; its headers are secrets. */
export interface McpServer {
  name: string
  url: string
  headers: Record<string, string>
  /** Its read-only tools run without asking, also in runs that were given something of a keeper. */
  trusted: boolean
  /** Names in its entry that have no meaning here, logged at start. */
  ignored: string[]
}

/** Where custom domains are served from. */
export interface CustomDomainSettings {
  /** `null`: custom domains can be written down and no more. */
  driver: 'vercel' | 'dns' | null
  vercel: { baseUrl: string; token: string | null; projectId: string | null; teamId: string | null }
  /** Name servers to ask, `host:port` with a numeric host. */
  dnsServers: string[]
  /** What a CNAME has to point at. */
  edgeHost: string | null
  /** What A and AAAA records may hold. */
  edgeIps: string[]
}

/** A bucket that speaks the protocol of S3, for pictures and recordings. */
export interface BucketSettings {
  /** Without a trailing slash; the bucket follows in the path. */
  endpoint: string
  region: string
  bucket: string
  /** In front of every name in the bucket; empty, or ending with a slash. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Of argon2id: KiB of memory, passes over it, lanes. */
export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** The OWASP values: 19 MiB, two passes, one lane. */
const owaspCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

export interface Settings {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | null
  /** Without a trailing slash; links in mails and the allowed host come from it. */
  publicUrl: string | null
  secret: string | null
  registration: 'open' | 'invite' | 'closed'
  /** Days after which a session ends however often it is used; 0: never. */
  sessionDays: number
  /** How many proxies in front are ours; decides how much of X-Forwarded-For is believed. */
  trustedProxies: number
  providers: Record<Provider, ProviderSettings>
  modelTimeouts: ModelTimeouts
  /** A file in the place of the catalog of models that comes with Keeper. */
  modelCatalog: string | null
  /** Hosts that agents may read from with http_fetch; `*.example.com` for all below one, `*` for every public one. */
  fetchHosts: string[]
  mcpServers: McpServer[]
  smtpUrl: string | null
  /** `null`: pictures and recordings lie in the data folder. */
  bucket: BucketSettings | null
  customDomains: CustomDomainSettings
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** How many of the backups stay that Keeper makes of the embedded database each night; 0: it makes none. */
  nightlyBackups: number
  limits: {
    /** Wrong passwords per account and address, and per address, in 15 minutes. */
    signInPerAccount: number
    signInPerAddress: number
    registrationsPerHour: number
    /** Of all people here together; 0: links are copied. */
    invitationEmailsPerDay: number
    /** Pictures and recordings together; 0: no limit. */
    mediaBytesPerPerson: number
    /** Texts and all else in the database; 0: no limit. */
    textBytesPerPerson: number
    rowsPerPerson: number
    runsPerPerson: number
    visitorRunsAtOnce: number
    visitorRunsPerMinute: number
    visitorRunsPerDay: number
    /** Of all visitors of one agent together, whatever a run costs. */
    visitorRunsPerAgentPerDay: number
  }
  /** No variable sets it: what is cheap to check is cheap to guess. Tests that are not about passwords spend less. */
  passwordCost: PasswordCost
  /** Parse every answer against the contract; on in tests only, it costs a tenth of the throughput. */
  checkAnswers: boolean
}

/** A setting that cannot be used; the message is one line for whoever runs the server. */
export class BadSetting extends Error {}

type Environment = Record<string, string | undefined>

/** `.env` in the working directory, overlaid by the real environment. */
export function readEnvironment(directory: string, environment: Environment): Environment {
  let file: Environment = {}
  try {
    file = parseEnv(readFileSync(resolve(directory, '.env'), 'utf8')) as Environment
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new BadSetting(`.env cannot be read: ${(error as Error).message}`)
  }
  return { ...file, ...environment }
}

/** Checks every setting of architecture §4; the first bad one is thrown as one clear line. */
export function readSettings(environment: Environment): Settings {
  const read = reader(environment)
  return {
    port: read.wholeNumber('PORT', 3000, 0, 65_535),
    host: read.host('HOST', '127.0.0.1'),
    dataDir: resolve(read.text('KEEPER_DATA_DIR') ?? 'data'),
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    publicUrl: read.ownAddress('KEEPER_PUBLIC_URL'),
    secret: read.secret('KEEPER_SECRET'),
    registration: read.choice('KEEPER_REGISTRATION', ['open', 'invite', 'closed'], 'open'),
    sessionDays: read.wholeNumber('KEEPER_SESSION_DAYS', 90, 0, 36_500),
    trustedProxies: read.wholeNumber('KEEPER_TRUSTED_PROXIES', 0, 0, 10),
    providers: Object.fromEntries(
      providers.map((provider) => {
        const prefix = provider.toUpperCase()
        return [
          provider,
          { key: read.text(`${prefix}_API_KEY`), baseUrl: read.url(`${prefix}_BASE_URL`, ['http:', 'https:']) },
        ]
      }),
    ) as Settings['providers'],
    modelTimeouts: readModelTimeouts(read),
    modelCatalog: read.text('KEEPER_MODEL_CATALOG'),
    fetchHosts: read.hosts('KEEPER_FETCH_HOSTS'),
    mcpServers: readMcpServers(read.text('KEEPER_MCP_SERVERS')),
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
    bucket: readBucket(read),
    customDomains: readCustomDomains(read),
    logLevel: read.choice('KEEPER_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    nightlyBackups: read.wholeNumber('KEEPER_NIGHTLY_BACKUPS', 7, 0, 1_000),
    limits: {
      signInPerAccount: read.wholeNumber('KEEPER_SIGN_IN_FAILURES_PER_ACCOUNT', 10, 1, 1_000_000),
      signInPerAddress: read.wholeNumber('KEEPER_SIGN_IN_FAILURES_PER_ADDRESS', 100, 1, 1_000_000),
      registrationsPerHour: read.wholeNumber('KEEPER_REGISTRATIONS_PER_HOUR', 60, 1, 1_000_000),
      invitationEmailsPerDay: read.wholeNumber('KEEPER_INVITATION_EMAILS_PER_DAY', 500, 0, 1_000_000),
      mediaBytesPerPerson: read.wholeNumber('KEEPER_FILES_MB_PER_PERSON', 20_480, 0, 1_000_000_000) * 1024 * 1024,
      textBytesPerPerson: read.wholeNumber('KEEPER_TEXT_MB_PER_PERSON', 2048, 0, 1_000_000_000) * 1024 * 1024,
      rowsPerPerson: read.wholeNumber('KEEPER_ROWS_PER_PERSON', 2_000_000, 0, 1_000_000_000_000),
      runsPerPerson: read.wholeNumber('KEEPER_RUNS_PER_PERSON', 256, 1, 100_000),
      visitorRunsAtOnce: read.wholeNumber('KEEPER_VISITOR_RUNS_AT_ONCE', 2, 0, 10_000),
      visitorRunsPerMinute: read.wholeNumber('KEEPER_VISITOR_RUNS_PER_MINUTE', 10, 0, 100_000),
      visitorRunsPerDay: read.wholeNumber('KEEPER_VISITOR_RUNS_PER_DAY', 50, 0, 1_000_000),
      visitorRunsPerAgentPerDay: read.wholeNumber('KEEPER_VISITOR_RUNS_PER_AGENT_PER_DAY', 500, 0, 1_000_000_000),
    },
    passwordCost: owaspCost,
    checkAnswers: false,
  }
}

/** Each in seconds; what is not set has a default that depends on the address. */
function readModelTimeouts(read: ReturnType<typeof reader>): ModelTimeouts {
  const names = {
    connectMs: 'KEEPER_MODEL_TIMEOUT_CONNECT',
    listMs: 'KEEPER_MODEL_TIMEOUT_LIST',
    firstByteMs: timeoutSettings.firstByteMs.setting,
    idleMs: timeoutSettings.idleMs.setting,
    wallMs: timeoutSettings.wallMs.setting,
    maxMs: timeoutSettings.maxMs.setting,
  }
  const set = Object.entries(names).filter(([, name]) => read.text(name) !== null)
  return Object.fromEntries(set.map(([limit, name]) => [limit, read.wholeNumber(name, 60, 1, 86_400) * 1000]))
}

/** `{"name": {"url": "https://…", "headers": {…}}}`. What is wrong is told without the headers, which are secrets. */
function readMcpServers(value: string | null): McpServer[] {
  if (value === null) return []
  const bad = (what: string) =>
    new BadSetting(`KEEPER_MCP_SERVERS must be JSON such as {"name": {"url": "https://…", "headers": {}}}: ${what}.`)
  let servers: unknown
  try {
    servers = JSON.parse(value)
  } catch {
    throw bad('it is not valid JSON')
  }
  if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) throw bad('it is not an object')
  return Object.entries(servers).map(([name, given]) => {
    if (!/^[A-Za-z0-9-]{1,30}$/.test(name) || name === 'keeper')
      throw bad(`"${name.slice(0, 40)}" is no name; use 1 to 30 letters, digits and hyphens, and not "keeper"`)
    const { url, headers = {}, trusted = false, ...others } = (given ?? {}) as Record<string, unknown>
    const parsed = typeof url === 'string' ? URL.parse(url) : null
    if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
      throw bad(`the url of "${name}" must begin with https:// or http://`)
    const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [['', '']]
    const usable = entries.every(
      ([header, text]) =>
        /^[A-Za-z0-9-]{1,100}$/.test(String(header)) && typeof text === 'string' && /^[\x20-\x7e]*$/.test(text),
    )
    if (!usable) throw bad(`the headers of "${name}" must be names with texts that a header can carry`)
    if (typeof trusted !== 'boolean') throw bad(`"trusted" of "${name}" must be true or false`)
    const ignored = Object.keys(others)
    return { name, url: parsed.href, headers: Object.fromEntries(entries) as Record<string, string>, trusted, ignored }
  })
}

function readBucket(read: ReturnType<typeof reader>): BucketSettings | null {
  const bucket = read.plain('S3_BUCKET')
  if (bucket === null) return null
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new BadSetting(`S3_BUCKET must be the name of a bucket, not "${bucket}".`)
  const region = read.plain('S3_REGION') ?? 'us-east-1'
  const prefix = read.plain('S3_PREFIX') ?? ''
  if (!/^(?:[A-Za-z0-9._-]+\/)*$/.test(prefix))
    throw new BadSetting(`S3_PREFIX must be names of letters and digits, each followed by a slash, not "${prefix}".`)
  const accessKeyId = read.plain('S3_ACCESS_KEY_ID')
  const secretAccessKey = read.plain('S3_SECRET_ACCESS_KEY')
  if (accessKeyId === null || secretAccessKey === null)
    throw new BadSetting('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  const endpoint = read.url('S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }
}

function readCustomDomains(read: ReturnType<typeof reader>): CustomDomainSettings {
  const driver = read.choice('CUSTOM_DOMAIN_DRIVER', ['vercel', 'dns', 'none'], 'none')
  const edgeHost = read.text('KEEPER_EDGE_HOST')?.toLowerCase() ?? null
  if (edgeHost !== null && !/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(edgeHost))
    throw new BadSetting(`KEEPER_EDGE_HOST must be a host name such as edge.example.com, not "${edgeHost}".`)
  const edgeIps = read.list('KEEPER_EDGE_IPS')
  const noAddress = edgeIps.find((address) => isIP(address) === 0)
  if (noAddress !== undefined)
    throw new BadSetting(`KEEPER_EDGE_IPS must be IP addresses with commas between them, not "${noAddress}".`)
  if (driver === 'dns' && edgeHost === null && !edgeIps.some(isIPv4))
    throw new BadSetting(
      'CUSTOM_DOMAIN_DRIVER=dns needs KEEPER_EDGE_HOST or KEEPER_EDGE_IPS with an IPv4 address: where custom domains have to point.',
    )
  return {
    driver: driver === 'none' ? null : driver,
    vercel: {
      baseUrl: read.url('VERCEL_API_BASE_URL', ['http:', 'https:']) ?? 'https://api.vercel.com',
      token: read.plain('VERCEL_TOKEN'),
      projectId: read.plain('VERCEL_PROJECT_ID'),
      teamId: read.plain('VERCEL_TEAM_ID'),
    },
    dnsServers: read.nameServers('KEEPER_DNS_SERVERS', ['1.1.1.1:53', '8.8.8.8:53']),
    edgeHost,
    edgeIps,
  }
}

function reader(environment: Environment) {
  const text = (name: string): string | null => environment[name]?.trim() || null
  return {
    text,
    wholeNumber(name: string, fallback: number, min: number, max: number): number {
      const value = text(name)
      if (value === null) return fallback
      const number = Number(value)
      if (!Number.isInteger(number) || number < min || number > max)
        throw new BadSetting(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
      return number
    },
    choice<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = text(name)
      if (value === null) return fallback
      if (!choices.includes(value as Choice))
        throw new BadSetting(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
      return value as Choice
    },
    url(name: string, protocols: string[]): string | null {
      const value = text(name)
      if (value === null) return null
      const parsed = URL.parse(value)
      // It is parsed without the slashes and in capitals, too; what is made of it begins as it is written.
      if (!parsed || !protocols.some((protocol) => value.startsWith(`${protocol}//`))) {
        throw new BadSetting(
          `${name} must be an address beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
        )
      }
      return trimEndOf(value, /\//)
    },
    /** Paths are put behind it. What is wrong is told without the value, which may hold a password. */
    ownAddress(name: string): string | null {
      const value = this.url(name, ['http:', 'https:'])
      if (value === null) return null
      const { username, password } = new URL(value)
      if (username || password || /[?#]/.test(value))
        throw new BadSetting(`${name} must be an address without user name, password, "?" and "#".`)
      return value
    },
    host(name: string, fallback: string): string {
      const value = text(name) ?? fallback
      if (!isIP(value) && !/^[A-Za-z0-9.-]+$/.test(value))
        throw new BadSetting(`${name} must be an address or a host name, not "${value}".`)
      return value
    },
    list: (name: string): string[] =>
      (text(name) ?? '')
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    /** Goes into headers and addresses. What is wrong is told without the value, which may be a secret. */
    plain(name: string): string | null {
      const value = text(name)
      if (value !== null && !/^[\x21-\x7e]+$/.test(value))
        throw new BadSetting(`${name} must be letters, digits and signs without spaces.`)
      return value
    },
    nameServers(name: string, fallback: string[]): string[] {
      const servers = this.list(name).map((server) => {
        const [, address = '', port = '53'] =
          /^\[?([\da-f.:]+?)\]?(?::(\d+))?$/i.exec(isIPv6(server) ? `[${server}]` : server) ?? []
        if (!isIP(address) || Number(port) < 1 || Number(port) > 65_535)
          throw new BadSetting(
            `${name} must be name servers by address, with commas between them, such as "1.1.1.1, 9.9.9.9:53", not "${server}".`,
          )
        return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
      })
      return servers.length > 0 ? servers : fallback
    },
    hosts(name: string): string[] {
      const hosts = (text(name) ?? '')
        .toLowerCase()
        .split(',')
        .map((host) => host.trim())
        .filter(Boolean)
      const wrong = hosts.find((host) => !/^(?:\*|(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*|[\da-f:]+)$/.test(host))
      if (wrong)
        throw new BadSetting(
          `${name} must be host names with commas between them, such as "*.example.com", not "${wrong}".`,
        )
      return hosts
    },
    secret(name: string): string | null {
      const value = text(name)
      if (value !== null && value.length < 32)
        throw new BadSetting(`${name} must have at least 32 characters; it has ${value.length}.`)
      return value
    },
  }
}
