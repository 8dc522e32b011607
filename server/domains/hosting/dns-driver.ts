import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { lookForCaa } from './caa.ts'
import { type HostedName, type HostingDriver, type HostingStatus, nothingYet } from './hosting-driver.ts'
import { hostingErrors } from './hosting-errors.ts'
import type { NameServers } from './name-servers.ts'
import { lookForOwnership } from './ownership.ts'
import { type Edge, lookForRouting } from './routing.ts'

/**
 * Custom domains served by this server itself: a TXT record proves whose the name is, a CNAME or A record leads here, and
 * the proxy in front gets the certificate. What counts is what every name server says alike.
 */
export function createDnsDriver(edge: Edge, nameServers: NameServers): HostingDriver {
  const status = async (name: HostedName): Promise<HostingStatus> => {
    if (name.attachedAt === null) return nothingYet()
    const [ownership, routing, caa] = await Promise.all([
      lookForOwnership(nameServers, name),
      lookForRouting(nameServers, edge, name.hostname),
      lookForCaa(nameServers, name.hostname),
    ])
    const inTheWay = [...routing.inTheWay, ...caa]
    const records = [ownership, routing.record, ...inTheWay]
    const unknown = records.some(({ state }) => state === 'unknown')
    const configured = routing.configuredBy !== null && inTheWay.length === 0
    return {
      attached: true,
      configured,
      verified: configured && ownership.state === 'ok',
      records,
      error: unknown ? hostingErrors.DNS_CONFIG_ERROR : null,
      errorCode: unknown ? 'DNS_CONFIG_ERROR' : null,
      configuredBy: routing.configuredBy,
      conflicts: inTheWay.filter(({ state }) => state !== 'unknown').map(inWords),
    }
  }
  return {
    name: 'dns',
    // Nobody has to be told: the row remembers that the records were asked for.
    attach: async () => {},
    detach: async () => {},
    status,
    verify: status,
  }
}

/** Such as `AAAA record of example.com (2001:db8::1): Leads elsewhere.` */
function inWords({ type, domain, found, reason }: DnsRecord): string {
  const values = [...new Set(found.flatMap((each) => each.values))]
  return `${type} record of ${domain} (${values.join(', ')}): ${reason}`
}
