import { isIPv4, isIPv6 } from 'node:net'
import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { normalizeHostName } from '#server/http/host-check.ts'
import type { CustomDomainSettings } from '#server/settings/settings.ts'
import { isApex } from '../custom/host-name.ts'
import { type DnsQuery, type DnsResults, toRecordState } from './dns-query.ts'

export type Edge = Pick<CustomDomainSettings, 'edgeHost' | 'edgeIps'>

interface Routing {
  record: DnsRecord
  conflicting: DnsRecord[]
  /** `null` unless all name servers point here. */
  configuredBy: 'CNAME' | 'A' | null
}

export async function checkRouting(queryDns: DnsQuery, edge: Edge, hostname: string): Promise<Routing> {
  const [cname, a, aaaa] = await Promise.all([
    queryDns('CNAME', hostname),
    queryDns('A', hostname),
    queryDns('AAAA', hostname),
  ])
  const pointsByName = cname.map(({ values }) => edge.edgeHost !== null && values.includes(edge.edgeHost))
  const hasOnlyEdgeIps = ({ values }: DnsResults[number]) => values.every((address) => edge.edgeIps.includes(address))
  const edgeAddresses = pointsByName.every(Boolean)
    ? []
    : await resolveEdgeAddresses(queryDns, edge, aaaa.every(hasOnlyEdgeIps))
  const isEdgeAddress = (address: string, index: number) =>
    edge.edgeIps.includes(address) || Boolean(edgeAddresses[index]?.values.includes(address))
  const pointsByAddress = a.map(({ values }, index) => values.some((address) => isEdgeAddress(address, index)))

  const expectedRecord = getExpectedRecord(edge, hostname)
  const results = a.map((address, index) => {
    const alias = cname[index] ?? address
    const visible = expectedRecord.type === 'CNAME' && alias.values.length > 0 ? alias : address
    return { ...visible, error: alias.error ?? address.error ?? edgeAddresses[index]?.error ?? null }
  })
  const state = toRecordState(results, (_, index) => Boolean(pointsByName[index] || pointsByAddress[index]))

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
    configuredBy: state !== 'ok' ? null : pointsByName.every(Boolean) ? 'CNAME' : 'A',
  }
}

const stateTexts: Record<DnsRecord['state'], string> = {
  ok: '',
  missing: 'Not every name server has it yet.',
  different: 'The record found points elsewhere.',
  unknown: 'Not every name server responded.',
}

async function resolveEdgeAddresses(
  queryDns: DnsQuery,
  { edgeHost, edgeIps }: Edge,
  needsNoV6: boolean,
): Promise<DnsResults> {
  const isFixedV4 = edgeIps.some(isIPv4)
  if (edgeHost === null || (isFixedV4 && (needsNoV6 || edgeIps.some(isIPv6)))) return []
  const [v6, v4] = await Promise.all([queryDns('AAAA', edgeHost), isFixedV4 ? [] : queryDns('A', edgeHost)])
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
