import { isIPv4, isIPv6 } from 'node:net'
import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { normalizeHostName } from '#server/http/host-check.ts'
import type { CustomDomainSettings } from '#server/settings/settings.ts'
import { countRegistrableLabels, isApex } from '../custom/host-name.ts'
import { createDnsQuery, type DnsQuery, type DnsResults, toRecordState } from './dns-query.ts'
import {
  checkOwnership,
  createEmptyStatus,
  type HostedDomain,
  type HostingDriver,
  type HostingStatus,
  hostingErrors,
} from './hosting-driver.ts'
import { createVercelDriver, type Fetch } from './vercel-driver.ts'

const certificateAuthority = 'letsencrypt.org'

/** CAA records that block certificates. Each name server's nearest record counts, from the name up to the registrable domain (RFC 8659). */
async function findBlockingCaa(queryDns: DnsQuery, hostname: string): Promise<DnsRecord[]> {
  const labels = hostname.split('.')
  const names = labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(0, labels.length - countRegistrableLabels(hostname) + 1)
  const resultsByName = await Promise.all(names.map((name) => queryDns('CAA', name)))
  const effectiveResults = (resultsByName[0] ?? []).map((hostResult, serverIndex) => {
    const resultsFromServer = resultsByName.map((results) => results[serverIndex] ?? hostResult)
    return resultsFromServer.find(({ values, error }) => error !== null || values.length > 0) ?? hostResult
  })
  const expectedRecord = {
    type: 'CAA',
    domain: hostname,
    value: `0 issue "${certificateAuthority}"`,
    found: effectiveResults,
  }
  if (effectiveResults.some(({ error }) => error !== null))
    return [{ ...expectedRecord, state: 'unknown', reason: 'Not every name server responded.' }]
  if (effectiveResults.every(({ values }) => allowsAuthority(values))) return []
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
  const getStatus = async (name: HostedDomain): Promise<HostingStatus> => {
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

export type Edge = Pick<CustomDomainSettings, 'edgeHost' | 'edgeIps'>

interface Routing {
  record: DnsRecord
  conflicting: DnsRecord[]
  /** `null` unless all name servers point here. */
  configuredBy: 'CNAME' | 'A' | null
}

/** All lists have one entry per name server, in the same order. */
async function checkRouting(queryDns: DnsQuery, edge: Edge, hostname: string): Promise<Routing> {
  const [cname, a, aaaa] = await Promise.all([
    queryDns('CNAME', hostname),
    queryDns('A', hostname),
    queryDns('AAAA', hostname),
  ])
  const pointsByName = cname.map(({ values }) => edge.edgeHost !== null && values.includes(edge.edgeHost))
  const hasOnlyEdgeIps = ({ values }: DnsResults[number]) => values.every((address) => edge.edgeIps.includes(address))
  const isAliased = pointsByName.every(Boolean)
  const edgeAddresses = isAliased ? [] : await resolveEdgeAddresses(queryDns, edge, aaaa.every(hasOnlyEdgeIps))
  const isEdgeAddress = (address: string, index: number) =>
    edge.edgeIps.includes(address) || Boolean(edgeAddresses[index]?.values.includes(address))
  const pointsByAddress = a.map(({ values }, index) => values.some((address) => isEdgeAddress(address, index)))

  const expectedRecord = getExpectedRecord(edge, hostname)
  const results = a.map((address, index) => {
    const alias = cname[index] ?? address
    const result = expectedRecord.type === 'CNAME' && alias.values.length > 0 ? alias : address
    return { ...result, error: alias.error ?? address.error ?? edgeAddresses[index]?.error ?? null }
  })
  const state = toRecordState(results, (_, index) => Boolean(pointsByName[index] || pointsByAddress[index]))
  const routingType = isAliased ? 'CNAME' : 'A'

  const listForeignAddresses = (all: DnsResults, index: number) =>
    pointsByName[index] ? [] : (all[index]?.values ?? []).filter((address) => !isEdgeAddress(address, index))
  const foreignA = a.map((result, index) => ({
    ...result,
    error: null,
    values: pointsByAddress[index] ? listForeignAddresses(a, index) : [],
  }))
  const foreignAaaa = aaaa.map((result, index) => ({ ...result, values: listForeignAddresses(aaaa, index) }))
  return {
    record: {
      ...expectedRecord,
      found: results,
      state,
      reason: `${expectedRecord.reason} ${stateTexts[state]}`.trim(),
    },
    conflicting: [
      ...listConflicts('A', hostname, foreignA, 'Sends some visitors elsewhere. Remove it.'),
      ...listConflicts('AAAA', hostname, foreignAaaa, 'Sends IPv6 visitors elsewhere. Remove it.'),
    ],
    configuredBy: state === 'ok' ? routingType : null,
  }
}

const stateTexts: Record<DnsRecord['state'], string> = {
  ok: '',
  missing: 'Not every name server has it yet.',
  different: 'The record found points elsewhere.',
  unknown: 'Not every name server responded.',
}

/** Addresses of the edge's host name, per name server; empty if the fixed addresses are enough to judge the records. */
async function resolveEdgeAddresses(
  queryDns: DnsQuery,
  { edgeHost, edgeIps }: Edge,
  hasOnlyFixedV6: boolean,
): Promise<DnsResults> {
  const hasFixedV4 = edgeIps.some(isIPv4)
  if (edgeHost === null || (hasFixedV4 && (hasOnlyFixedV6 || edgeIps.some(isIPv6)))) return []
  const [v6, v4] = await Promise.all([queryDns('AAAA', edgeHost), hasFixedV4 ? [] : queryDns('A', edgeHost)])
  return v6.map((result, index) => ({
    ...result,
    values: [...(v4[index]?.values ?? []), ...result.values],
    error: v4[index]?.error ?? result.error,
  }))
}

function getExpectedRecord(
  { edgeHost, edgeIps }: Edge,
  hostname: string,
): Pick<DnsRecord, 'type' | 'domain' | 'value' | 'reason'> {
  const [first, ...otherAddresses] = edgeIps.filter(isIPv4)
  const isApexName = isApex(hostname)
  if (edgeHost !== null && !(isApexName && first))
    return {
      type: 'CNAME',
      domain: hostname,
      value: normalizeHostName(edgeHost),
      reason: isApexName
        ? 'Brings visitors here. At the top of a domain, some providers call this ALIAS or ANAME.'
        : 'Brings visitors here.',
    }
  const alternatives = otherAddresses.length > 0 ? ` ${otherAddresses.join(' and ')} also work.` : ''
  return { type: 'A', domain: hostname, value: first ?? '', reason: `Brings visitors here.${alternatives}` }
}

function listConflicts(type: string, domain: string, results: DnsResults, reason: string): DnsRecord[] {
  const isUnknown = results.some(({ error }) => error !== null)
  if (!isUnknown && results.every(({ values }) => values.length === 0)) return []
  const state = isUnknown ? 'unknown' : 'different'
  return [
    { type, domain, value: '', found: results, state, reason: isUnknown ? 'Not every name server responded.' : reason },
  ]
}
