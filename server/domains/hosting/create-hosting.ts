import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import type { CustomDomainSettings } from '#server/settings/settings.ts'
import { countRegistrableLabels } from '../custom/host-name.ts'
import { createDnsQuery, type DnsQuery } from './dns-query.ts'
import type { HostingDriver } from './hosting-driver.ts'
import { createEmptyStatus, type HostedName, type HostingStatus } from './hosting-driver.ts'
import { hostingErrors } from './hosting-errors.ts'
import { checkOwnership } from './ownership.ts'
import { checkRouting, type Edge } from './routing.ts'
import type { Fetch } from './vercel-api.ts'
import { createVercelDriver } from './vercel-driver.ts'

const certificateAuthority = 'letsencrypt.org'

/** CAA records that block certificates. Of each name server, the record nearest to the name counts, up to the registrable domain (RFC 8659). */
async function findBlockingCaa(queryDns: DnsQuery, hostname: string): Promise<DnsRecord[]> {
  const labels = hostname.split('.')
  const names = labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, labels.length - countRegistrableLabels(hostname) + 1)
  const resultsByName = await Promise.all(names.map((name) => queryDns('CAA', name)))
  const effective = (resultsByName[0] ?? []).map((ownResult, serverIndex) => {
    const resultsFromServer = resultsByName.map((results) => results[serverIndex] ?? ownResult)
    return resultsFromServer.find(({ values, error }) => error !== null || values.length > 0) ?? ownResult
  })
  const expectedRecord = { type: 'CAA', domain: hostname, value: `0 issue "${certificateAuthority}"`, found: effective }
  if (effective.some(({ error }) => error !== null))
    return [{ ...expectedRecord, state: 'unknown', reason: 'Not every name server responded.' }]
  if (effective.every(({ values }) => allowsAuthority(values))) return []
  return [
    {
      ...expectedRecord,
      state: 'different',
      reason: `Prevents ${certificateAuthority} from issuing the certificate. Allow this authority too.`,
    },
  ]
}

function allowsAuthority(values: string[]): boolean {
  const issuers = values
    .map((value) => /^\d+ issue "\s*([^\s;"]*)/.exec(value)?.[1])
    .filter((issuer) => issuer !== undefined)
  return issuers.length === 0 || issuers.includes(certificateAuthority)
}

export function createDnsDriver(edge: Edge, queryDns: DnsQuery): HostingDriver {
  const getStatus = async (name: HostedName): Promise<HostingStatus> => {
    if (name.attachedAt === null) return createEmptyStatus()
    const [ownership, routing, caa] = await Promise.all([
      checkOwnership(queryDns, name),
      checkRouting(queryDns, edge, name.hostname),
      findBlockingCaa(queryDns, name.hostname),
    ])
    const conflicting = [...routing.conflicting, ...caa]
    const records = [ownership, routing.record, ...conflicting]
    const isUnknown = records.some(({ state }) => state === 'unknown')
    const configured = routing.configuredBy !== null && conflicting.length === 0
    return {
      attached: true,
      configured,
      verified: configured && ownership.state === 'ok',
      records,
      error: isUnknown ? hostingErrors.DNS_CONFIG_ERROR : null,
      errorCode: isUnknown ? 'DNS_CONFIG_ERROR' : null,
      configuredBy: routing.configuredBy,
      conflicts: conflicting.filter(({ state }) => state !== 'unknown').map(describeConflict),
    }
  }
  return {
    name: 'dns',
    attach: async () => {},
    detach: async () => {},
    status: getStatus,
    verify: getStatus,
  }
}

function describeConflict({ type, domain, found: results, reason }: DnsRecord): string {
  const values = [...new Set(results.flatMap((result) => result.values))]
  return `${type} record of ${domain} (${values.join(', ')}): ${reason}`
}

export function createHosting(
  settings: CustomDomainSettings,
  runtime: { fetch: Fetch; sleep(ms: number, signal: AbortSignal): Promise<void> },
): HostingDriver | null {
  const queryDns = createDnsQuery(settings.dnsServers)
  if (settings.driver === 'dns') return createDnsDriver(settings, queryDns)
  if (settings.driver === null) return null
  return createVercelDriver(settings.vercel, {
    fetch: runtime.fetch,
    sleep: (ms) => runtime.sleep(ms, new AbortController().signal),
    queryDns,
  })
}
