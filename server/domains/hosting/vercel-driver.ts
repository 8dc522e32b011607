import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { truncate } from '#contract/truncate.ts'
import { normalizeHostName } from '#server/http/host-check.ts'
import type { DnsQuery } from './dns-query.ts'
import {
  checkOwnership,
  createEmptyStatus,
  type HostedDomain,
  type HostingDriver,
  HostingFailure,
  type HostingStatus,
  hostingErrors,
  takenCodes,
} from './hosting-driver.ts'

const maxVerifyAttempts = 3
const verifyDelayMs = 2500
const defaultTimeoutMs = 10_000
const defaultAddress = '76.76.21.21'
const defaultAlias = 'cname.vercel-dns-0.com'

interface VercelDriverOptions {
  fetch: Fetch
  sleep(ms: number): Promise<void>
  queryDns: DnsQuery
  timeoutMs?: number
}

export function createVercelDriver(access: VercelAccess, options: VercelDriverOptions): HostingDriver {
  const api = createVercelApi(access, options.fetch, options.timeoutMs ?? defaultTimeoutMs)

  async function readStatus(name: HostedDomain, verifyFailure?: HostingFailure): Promise<HostingStatus> {
    let domain: ProjectDomain
    try {
      domain = await api.read(name.hostname)
    } catch (error) {
      const failure = requireHostingFailure(error)
      return failure.errorCode === '404' && name.attachedAt === null
        ? createEmptyStatus()
        : { ...createEmptyStatus(), ...toStatusError(failure) }
    }
    // Another domain's claim may have added the name.
    if (name.attachedAt === null) return createEmptyStatus()
    const [config, ownership] = await Promise.all([
      api.config(name.hostname).catch(requireHostingFailure),
      name.contested ? checkOwnership(options.queryDns, name) : null,
    ])
    return toHostingStatus(domain, config, ownership, verifyFailure)
  }

  return {
    name: 'vercel',
    async attach({ hostname }) {
      try {
        await api.add(hostname)
      } catch (error) {
        const failure = requireHostingFailure(error)
        if (!takenCodes.includes(failure.errorCode)) throw failure
        await api.read(hostname).catch((readError: unknown) => {
          throw requireHostingFailure(readError).errorCode === '404' ? failure : readError
        })
      }
    },
    status: (name) => readStatus(name),
    async verify(name) {
      const failure = await requestVerification(name.hostname)
      return readStatus(name, failure)
    },
    async detach({ hostname }) {
      await api.remove(hostname).catch((error: unknown) => {
        if (requireHostingFailure(error).errorCode !== '404') throw error
      })
    },
  }

  async function requestVerification(hostname: string): Promise<HostingFailure | undefined> {
    try {
      if ((await api.read(hostname)).verified) return undefined
    } catch (error) {
      return requireHostingFailure(error)
    }
    for (let attempt = 1; ; attempt++) {
      const failure = await api
        .verify(hostname)
        .then(({ verified }) => (verified ? undefined : createPendingFailure()), requireHostingFailure)
      if (!failure || !pendingCodes.includes(failure.errorCode) || attempt === maxVerifyAttempts) return failure
      await options.sleep(verifyDelayMs)
    }
  }
}

const pendingCodes = ['missing_txt_record', 'pending_verification']

function createPendingFailure(): HostingFailure {
  return new HostingFailure('pending_verification', 'The verification is still pending.')
}

function toHostingStatus(
  domain: ProjectDomain,
  config: DomainConfig | HostingFailure,
  ownership: DnsRecord | null,
  verifyFailure: HostingFailure | undefined,
): HostingStatus {
  const domainConfig = config instanceof HostingFailure ? null : config
  const configured = domainConfig?.misconfigured === false
  const records = [
    ...(domain.verified ? [] : (domain.verification ?? []).map(toVerificationRecord)),
    ...(ownership ? [ownership] : []),
    ...toRoutingRecords(domain, domainConfig),
    ...(domainConfig?.conflicts ?? []).map(toConflictRecord),
  ]
  const failures = [
    config instanceof HostingFailure && (config.errorCode === '403' ? config : createNoConfigFailure()),
    ownership?.state === 'unknown' && createNoConfigFailure(),
    !domain.verified && verifyFailure,
  ]
  return {
    attached: true,
    configured,
    verified: configured && domain.verified && (ownership === null || ownership.state === 'ok'),
    records,
    configuredBy: domainConfig?.configuredBy ?? null,
    conflicts: (domainConfig?.conflicts ?? []).map(
      ({ type, name, value }) => `${type} record of ${name} (${value}) conflicts with the required records.`,
    ),
    ...toStatusError(failures.find((failure) => failure instanceof HostingFailure)),
  }
}

function toVerificationRecord({
  type,
  domain,
  value,
  reason,
}: NonNullable<ProjectDomain['verification']>[number]): DnsRecord {
  const reasonText =
    reason === 'pending_domain_verification'
      ? 'Proves to Vercel that this domain is yours, because another Vercel account uses it too.'
      : reason
  return { type, domain, value, found: [], state: 'missing', reason: reasonText }
}

function toRoutingRecords({ name, apexName }: ProjectDomain, config: DomainConfig | null): DnsRecord[] {
  const isApexName = apexName === name
  const alias = normalizeHostName(findFirstRanked(config?.recommendedCNAME) ?? defaultAlias)
  const value = isApexName ? (findFirstRanked(config?.recommendedIPv4)?.[0] ?? defaultAddress) : alias
  const addresses = config?.aValues ?? []
  const aliases = (config?.cnames ?? []).map(normalizeHostName)
  const values = isApexName || aliases.length === 0 ? addresses : aliases
  const record: DnsRecord = {
    type: isApexName ? 'A' : 'CNAME',
    domain: name,
    value,
    found: config ? [{ resolver: 'Vercel', values, error: null }] : [],
    state: getRoutingState(config, values, value),
    reason: 'Brings visitors here.',
  }
  if (!isApexName) return [record]
  const reason = `Optional: also brings visitors of www.${name} here, once that name is added too.`
  return [record, { type: 'CNAME', domain: `www.${name}`, value: alias, found: [], state: 'unknown', reason }]
}

function getRoutingState(config: DomainConfig | null, values: string[], expected: string): DnsRecord['state'] {
  if (!config) return 'unknown'
  if (!config.misconfigured || values.includes(expected)) return 'ok'
  return values.length === 0 ? 'missing' : 'different'
}

function toConflictRecord({ name, type, value }: NonNullable<DomainConfig['conflicts']>[number]): DnsRecord {
  const results = [{ resolver: 'Vercel', values: [value], error: null }]
  return {
    type,
    domain: name,
    value: '',
    found: results,
    state: 'different',
    reason: 'Conflicts with the required records. Remove or correct it.',
  }
}

function findFirstRanked<Value>(ranked: { rank: number; value: Value }[] | undefined): Value | undefined {
  return ranked?.toSorted((one, other) => one.rank - other.rank)[0]?.value
}

function createNoConfigFailure(): HostingFailure {
  return new HostingFailure('DNS_CONFIG_ERROR', hostingErrors.DNS_CONFIG_ERROR)
}

function toStatusError(failure: HostingFailure | undefined): Pick<HostingStatus, 'error' | 'errorCode'> {
  if (!failure) return { error: null, errorCode: null }
  const { errorCode, message } = failure
  return { errorCode, error: errorCode === 'DNS_CONFIG_ERROR' ? hostingErrors.DNS_CONFIG_ERROR : message }
}

function requireHostingFailure(error: unknown): HostingFailure {
  if (error instanceof HostingFailure) return error
  throw error
}

interface VercelAccess {
  baseUrl: string
  token: string | null
  projectId: string | null
  teamId: string | null
}

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

interface ProjectDomain {
  name: string
  apexName: string
  verified: boolean
  verification?: { type: string; domain: string; value: string; reason: string }[]
}

interface DomainConfig {
  configuredBy: string | null
  misconfigured: boolean
  recommendedIPv4?: { rank: number; value: string[] }[]
  recommendedCNAME?: { rank: number; value: string }[]
  cnames?: string[]
  aValues?: string[]
  conflicts?: { name: string; type: string; value: string }[]
}

const maxMessageLength = 300

/** Vercel's REST API for one project's domains. Calls throw HostingFailure, which never contains the token. */
function createVercelApi(access: VercelAccess, fetch: Fetch, timeoutMs: number) {
  const { token, projectId, teamId } = access

  async function call(
    method: string,
    path: string,
    query: Record<string, string> = {},
    body?: object,
  ): Promise<unknown> {
    if (!token || !projectId) throw new HostingFailure('403', hostingErrors['403'])
    const team = teamId ? { [teamId.startsWith('team_') ? 'teamId' : 'slug']: teamId } : {}
    const search = new URLSearchParams({ ...query, ...team })
    let response: Response
    let text: string
    try {
      response = await fetch(`${access.baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        // A redirect must not receive the token.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      text = await response.text()
    } catch {
      throw new HostingFailure('DNS_CONFIG_ERROR', 'Vercel didn’t respond. Please try again.')
    }
    const parsed = parseJsonAnswer(text)
    if (response.ok && parsed !== undefined) return parsed
    throw toHostingFailure(response.status, parsed, token)
  }

  const projectPath = `projects/${encodeURIComponent(projectId ?? '')}`
  const getDomainPath = (name: string) => `${projectPath}/domains/${encodeURIComponent(name)}`
  return {
    add: (name: string) => call('POST', `/v10/${projectPath}/domains`, {}, { name }),
    read: async (name: string) => (await call('GET', `/v9/${getDomainPath(name)}`)) as ProjectDomain,
    config: async (name: string) =>
      (await call('GET', `/v6/domains/${encodeURIComponent(name)}/config`, {
        projectIdOrName: projectId ?? '',
      })) as DomainConfig,
    verify: async (name: string) => (await call('POST', `/v9/${getDomainPath(name)}/verify`)) as ProjectDomain,
    remove: (name: string) => call('DELETE', `/v9/${getDomainPath(name)}`),
  }
}

function parseJsonAnswer(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

function toHostingFailure(status: number, parsed: unknown, token: string): HostingFailure {
  const { code, message } = (parsed as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {}
  if (status === 401 || status === 403 || code === 'forbidden') return new HostingFailure('403', hostingErrors['403'])
  if (status === 404 || code === 'not_found') return new HostingFailure('404', hostingErrors['404'])
  const failureMessage = typeof message === 'string' ? message : `Vercel responded with status ${status}.`
  return new HostingFailure(
    typeof code === 'string' ? code.slice(0, 100) : String(status),
    truncate(failureMessage.replaceAll(token, '…'), maxMessageLength),
  )
}
