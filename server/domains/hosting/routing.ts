import { isIPv4, isIPv6 } from 'node:net'
import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { plainName } from '#server/http/host-check.ts'
import type { CustomDomainSettings } from '#server/settings.ts'
import { isApex } from '../custom/host-name.ts'
import { type Found, type NameServers, stateOf } from './name-servers.ts'

export type Edge = Pick<CustomDomainSettings, 'edgeHost' | 'edgeIps'>

interface Routing {
  record: DnsRecord
  /** Additional addresses that send some visitors elsewhere. */
  inTheWay: DnsRecord[]
  /** `null` unless all name servers point here. */
  configuredBy: 'CNAME' | 'A' | null
}

/** Where the name points according to each name server. CNAME chains count by their final addresses. */
export async function lookForRouting(nameServers: NameServers, edge: Edge, hostname: string): Promise<Routing> {
  const [cname, a, aaaa] = await Promise.all([
    nameServers('CNAME', hostname),
    nameServers('A', hostname),
    nameServers('AAAA', hostname),
  ])
  const byName = cname.map(({ values }) => edge.edgeHost !== null && values.includes(edge.edgeHost))
  const isFixed = ({ values }: Found[number]) => values.every((address) => edge.edgeIps.includes(address))
  const ours = byName.every(Boolean) ? [] : await ownAddresses(nameServers, edge, aaaa.every(isFixed))
  const isOurs = (address: string, index: number) =>
    edge.edgeIps.includes(address) || Boolean(ours[index]?.values.includes(address))
  const byAddress = a.map(({ values }, index) => values.some((address) => isOurs(address, index)))

  const wanted = wantedRecord(edge, hostname)
  const found = a.map((address, index) => {
    const alias = cname[index] ?? address
    const shown = wanted.type === 'CNAME' && alias.values.length > 0 ? alias : address
    return { ...shown, error: alias.error ?? address.error ?? ours[index]?.error ?? null }
  })
  const state = stateOf(found, (_, index) => Boolean(byName[index] || byAddress[index]))

  const elsewhere = (all: Found, index: number) =>
    byName[index] ? [] : (all[index]?.values ?? []).filter((address) => !isOurs(address, index))
  const extraA = a.map((each, index) => ({
    ...each,
    // The main record reports it.
    error: null,
    values: byAddress[index] ? elsewhere(a, index) : [],
  }))
  const strangeAaaa = aaaa.map((each, index) => ({ ...each, values: elsewhere(aaaa, index) }))
  return {
    record: { ...wanted, found, state, reason: `${wanted.reason} ${words[state]}`.trim() },
    inTheWay: [
      ...inTheWay('A', hostname, extraA, 'Sends some visitors elsewhere. Remove it.'),
      ...inTheWay('AAAA', hostname, strangeAaaa, 'Sends IPv6 visitors elsewhere. Remove it.'),
    ],
    configuredBy: state !== 'ok' ? null : byName.every(Boolean) ? 'CNAME' : 'A',
  }
}

const words: Record<DnsRecord['state'], string> = {
  ok: '',
  missing: 'Not every name server has it yet.',
  different: 'The record found points elsewhere.',
  unknown: 'Not every name server responded.',
}

/** Addresses of the edge host by name server, unless fixed addresses cover them. */
async function ownAddresses(nameServers: NameServers, { edgeHost, edgeIps }: Edge, needsNoV6: boolean): Promise<Found> {
  const isFixedV4 = edgeIps.some(isIPv4)
  if (edgeHost === null || (isFixedV4 && (needsNoV6 || edgeIps.some(isIPv6)))) return []
  const [v6, v4] = await Promise.all([nameServers('AAAA', edgeHost), isFixedV4 ? [] : nameServers('A', edgeHost)])
  return v6.map((each, index) => ({
    ...each,
    values: [...(v4[index]?.values ?? []), ...each.values],
    error: v4[index]?.error ?? each.error,
  }))
}

function wantedRecord(
  { edgeHost, edgeIps }: Edge,
  hostname: string,
): Pick<DnsRecord, 'type' | 'domain' | 'value' | 'reason'> {
  const [first, ...others] = edgeIps.filter(isIPv4)
  const top = isApex(hostname)
  if (edgeHost !== null && !(top && first))
    return {
      type: 'CNAME',
      domain: hostname,
      value: plainName(edgeHost),
      reason: top
        ? 'Brings visitors here. At the top of a domain, some providers call this ALIAS or ANAME.'
        : 'Brings visitors here.',
    }
  const also = others.length > 0 ? ` ${others.join(' and ')} also work.` : ''
  return { type: 'A', domain: hostname, value: first ?? '', reason: `Brings visitors here.${also}` }
}

function inTheWay(type: string, domain: string, found: Found, reason: string): DnsRecord[] {
  const unknown = found.some(({ error }) => error !== null)
  if (!unknown && found.every(({ values }) => values.length === 0)) return []
  const state = unknown ? 'unknown' : 'different'
  return [{ type, domain, value: '', found, state, reason: unknown ? 'Not every name server responded.' : reason }]
}
