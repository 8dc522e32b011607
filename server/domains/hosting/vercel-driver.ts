import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { plainName } from '#server/http/host-check.ts'
import {
  type HostedName,
  type HostingDriver,
  HostingFailure,
  type HostingStatus,
  nothingYet,
} from './hosting-driver.ts'
import { hostingErrors, takenCodes } from './hosting-errors.ts'
import type { NameServers } from './name-servers.ts'
import { lookForOwnership } from './ownership.ts'
import { createVercelApi, type DomainConfig, type Fetch, type ProjectDomain, type VercelAccess } from './vercel-api.ts'

const askedAtMost = 3
const betweenAsksMs = 2500
const answerWithinMs = 10_000
/** Defaults if Vercel recommends none. */
const usualAddress = '76.76.21.21'
const usualAlias = 'cname.vercel-dns-0.com'

interface Outside {
  fetch: Fetch
  sleep(ms: number): Promise<void>
  /** Only used for names that several domains claim. */
  nameServers: NameServers
  timeoutMs?: number
}

/** Custom domains served by a Vercel project. Without a token and project, every status is "403". */
export function createVercelDriver(access: VercelAccess, outside: Outside): HostingDriver {
  const api = createVercelApi(access, outside.fetch, outside.timeoutMs ?? answerWithinMs)

  async function look(name: HostedName, asked?: HostingFailure): Promise<HostingStatus> {
    let domain: ProjectDomain
    try {
      domain = await api.read(name.hostname)
    } catch (error) {
      const failure = expected(error)
      return failure.errorCode === '404' && name.attachedAt === null
        ? nothingYet()
        : { ...nothingYet(), ...told(failure) }
    }
    // Another domain's claim may have added the name.
    if (name.attachedAt === null) return nothingYet()
    const [config, ownership] = await Promise.all([
      api.config(name.hostname).catch(expected),
      name.contested ? lookForOwnership(outside.nameServers, name) : null,
    ])
    return statusOf(domain, config, ownership, asked)
  }

  return {
    name: 'vercel',
    async attach({ hostname }) {
      try {
        await api.add(hostname)
      } catch (error) {
        const failure = expected(error)
        if (!takenCodes.includes(failure.errorCode)) throw failure
        await api.read(hostname).catch((why: unknown) => {
          throw expected(why).errorCode === '404' ? failure : why
        })
      }
    },
    status: (name) => look(name),
    async verify(name) {
      const failure = await askToVerify(name.hostname)
      return look(name, failure)
    },
    async detach({ hostname }) {
      await api.remove(hostname).catch((error: unknown) => {
        if (expected(error).errorCode !== '404') throw error
      })
    },
  }

  /** The failure that prevents verification, if any. Retries while a TXT record may still be propagating. */
  async function askToVerify(hostname: string): Promise<HostingFailure | undefined> {
    try {
      if ((await api.read(hostname)).verified) return undefined
    } catch (error) {
      return expected(error)
    }
    for (let ask = 1; ; ask++) {
      const failure = await api.verify(hostname).then(({ verified }) => (verified ? undefined : pending()), expected)
      if (!failure || !waits.includes(failure.errorCode) || ask === askedAtMost) return failure
      await outside.sleep(betweenAsksMs)
    }
  }
}

const waits = ['missing_txt_record', 'pending_verification']

function pending(): HostingFailure {
  return new HostingFailure('pending_verification', 'The verification is still pending.')
}

function statusOf(
  domain: ProjectDomain,
  config: DomainConfig | HostingFailure,
  ownership: DnsRecord | null,
  asked: HostingFailure | undefined,
): HostingStatus {
  const known = config instanceof HostingFailure ? null : config
  const configured = known?.misconfigured === false
  const records = [
    ...(domain.verified ? [] : (domain.verification ?? []).map(outstanding)),
    ...(ownership ? [ownership] : []),
    ...routingRecords(domain, known),
    ...(known?.conflicts ?? []).map(inTheWay),
  ]
  const failures = [
    config instanceof HostingFailure && (config.errorCode === '403' ? config : noConfig()),
    ownership?.state === 'unknown' && noConfig(),
    !domain.verified && asked,
  ]
  return {
    attached: true,
    configured,
    verified: configured && domain.verified && (ownership === null || ownership.state === 'ok'),
    records,
    configuredBy: known?.configuredBy ?? null,
    conflicts: (known?.conflicts ?? []).map(
      ({ type, name, value }) => `${type} record of ${name} (${value}) is in the way.`,
    ),
    ...told(failures.find((failure) => failure instanceof HostingFailure)),
  }
}

/** A record Vercel requires to verify ownership. Vercel doesn't report what it found. */
function outstanding({ type, domain, value, reason }: NonNullable<ProjectDomain['verification']>[number]): DnsRecord {
  const words =
    reason === 'pending_domain_verification'
      ? 'Proves to Vercel that this domain is yours, because another Vercel account has it, too.'
      : reason
  return { type, domain, value, found: [], state: 'missing', reason: words }
}

function routingRecords({ name, apexName }: ProjectDomain, config: DomainConfig | null): DnsRecord[] {
  const top = apexName === name
  const alias = plainName(first(config?.recommendedCNAME) ?? usualAlias)
  const value = top ? (first(config?.recommendedIPv4)?.[0] ?? usualAddress) : alias
  const addresses = config?.aValues ?? []
  const aliases = (config?.cnames ?? []).map(plainName)
  const values = top || aliases.length === 0 ? addresses : aliases
  const record: DnsRecord = {
    type: top ? 'A' : 'CNAME',
    domain: name,
    value,
    found: config ? [{ resolver: 'Vercel', values, error: null }] : [],
    state: !config
      ? 'unknown'
      : !config.misconfigured || values.includes(value)
        ? 'ok'
        : values.length === 0
          ? 'missing'
          : 'different',
    reason: 'Brings visitors here.',
  }
  if (!top) return [record]
  const reason = `Optional: also brings visitors of www.${name} here, once that name is added, too.`
  return [record, { type: 'CNAME', domain: `www.${name}`, value: alias, found: [], state: 'unknown', reason }]
}

function inTheWay({ name, type, value }: NonNullable<DomainConfig['conflicts']>[number]): DnsRecord {
  const found = [{ resolver: 'Vercel', values: [value], error: null }]
  return { type, domain: name, value: '', found, state: 'different', reason: 'Is in the way. Remove or correct it.' }
}

function first<Value>(ranked: { rank: number; value: Value }[] | undefined): Value | undefined {
  return ranked?.toSorted((one, other) => one.rank - other.rank)[0]?.value
}

function noConfig(): HostingFailure {
  return new HostingFailure('DNS_CONFIG_ERROR', hostingErrors.DNS_CONFIG_ERROR)
}

/** The status fields of a failure; an unanswered call gets the page's standard text. */
function told(failure: HostingFailure | undefined): Pick<HostingStatus, 'error' | 'errorCode'> {
  if (!failure) return { error: null, errorCode: null }
  const { errorCode, message } = failure
  return { errorCode, error: errorCode === 'DNS_CONFIG_ERROR' ? hostingErrors.DNS_CONFIG_ERROR : message }
}

function expected(error: unknown): HostingFailure {
  if (error instanceof HostingFailure) return error
  throw error
}
