import { isIPv4, isIPv6 } from 'node:net'
import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { normalizeHostName } from '#server/http/host-check.ts'
import type { CustomDomainSettings } from '#server/settings.ts'
import { isApex } from '../custom/host-name.ts'
import { type DnsResults, type NameServers, toRecordState } from './name-servers.ts'

export type Edge = Pick<CustomDomainSettings, 'edgeHost' | 'edgeIps'>

interface Routing {
  record: DnsRecord
  conflicting: DnsRecord[]
  /** `null` unless all name servers point here. */
  configuredBy: 'CNAME' | 'A' | null
}

export async function checkRouting(nameServers: NameServers, edge: Edge, hostname: string): Promise<Routing> {
  const [cname, a, aaaa] = await Promise.all([
    nameServers('CNAME', hostname),
    nameServers('A', hostname),
    nameServers('AAAA', hostname),
  ])
  const byName = cname.map(({ values }) => edge.edgeHost !== null && values.includes(edge.edgeHost))
  const isFixed = ({ values }: DnsResults[number]) => values.every((address) => edge.edgeIps.includes(address))
  const edgeAddresses = byName.every(Boolean) ? [] : await resolveEdgeAddresses(nameServers, edge, aaaa.every(isFixed))
  const isEdgeAddress = (address: string, index: number) =>
    edge.edgeIps.includes(address) || Boolean(edgeAddresses[index]?.values.includes(address))
  const byAddress = a.map(({ values }, index) => values.some((address) => isEdgeAddress(address, index)))

  const expectedRecord = getExpectedRecord(edge, hostname)
  const results = a.map((address, index) => {
    const alias = cname[index] ?? address
    const visible = expectedRecord.type === 'CNAME' && alias.values.length > 0 ? alias : address
    return { ...visible, error: alias.error ?? address.error ?? edgeAddresses[index]?.error ?? null }
  })
  const state = toRecordState(results, (_, index) => Boolean(byName[index] || byAddress[index]))

  const listForeignAddresses = (all: DnsResults, index: number) =>
    byName[index] ? [] : (all[index]?.values ?? []).filter((address) => !isEdgeAddress(address, index))
  const extraA = a.map((result, index) => ({
    ...result,
    error: null,
    values: byAddress[index] ? listForeignAddresses(a, index) : [],
  }))
  const strangeAaaa = aaaa.map((result, index) => ({ ...result, values: listForeignAddresses(aaaa, index) }))
  return {
    record: {
      ...expectedRecord,
      found: results,
      state,
      reason: `${expectedRecord.reason} ${stateTexts[state]}`.trim(),
    },
    conflicting: [
      ...listConflicts('A', hostname, extraA, 'Sends some visitors elsewhere. Remove it.'),
      ...listConflicts('AAAA', hostname, strangeAaaa, 'Sends IPv6 visitors elsewhere. Remove it.'),
    ],
    configuredBy: state !== 'ok' ? null : byName.every(Boolean) ? 'CNAME' : 'A',
  }
}

const stateTexts: Record<DnsRecord['state'], string> = {
  ok: '',
  missing: 'Not every name server has it yet.',
  different: 'The record found points elsewhere.',
  unknown: 'Not every name server responded.',
}

async function resolveEdgeAddresses(
  nameServers: NameServers,
  { edgeHost, edgeIps }: Edge,
  needsNoV6: boolean,
): Promise<DnsResults> {
  const isFixedV4 = edgeIps.some(isIPv4)
  if (edgeHost === null || (isFixedV4 && (needsNoV6 || edgeIps.some(isIPv6)))) return []
  const [v6, v4] = await Promise.all([nameServers('AAAA', edgeHost), isFixedV4 ? [] : nameServers('A', edgeHost)])
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
  const isTop = isApex(hostname)
  if (edgeHost !== null && !(isTop && first))
    return {
      type: 'CNAME',
      domain: hostname,
      value: normalizeHostName(edgeHost),
      reason: isTop
        ? 'Brings visitors here. At the top of a domain, some providers call this ALIAS or ANAME.'
        : 'Brings visitors here.',
    }
  const alternatives = otherAddresses.length > 0 ? ` ${otherAddresses.join(' and ')} also work.` : ''
  return { type: 'A', domain: hostname, value: first ?? '', reason: `Brings visitors here.${alternatives}` }
}

function listConflicts(type: string, domain: string, results: DnsResults, reason: string): DnsRecord[] {
  const unknown = results.some(({ error }) => error !== null)
  if (!unknown && results.every(({ values }) => values.length === 0)) return []
  const state = unknown ? 'unknown' : 'different'
  return [
    { type, domain, value: '', found: results, state, reason: unknown ? 'Not every name server responded.' : reason },
  ]
}
