import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { lookForCaa } from './caa.ts'
import { type HostedName, type HostingDriver, type HostingStatus, nothingYet } from './hosting-driver.ts'
import { hostingErrors } from './hosting-errors.ts'
import type { NameServers } from './name-servers.ts'
import { lookForOwnership } from './ownership.ts'
import { type Edge, lookForRouting } from './routing.ts'

/** A TXT record proves ownership, a CNAME or A record points here, and all name servers must agree. */
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
    // Nothing to do: the row records when it was added.
    attach: async () => {},
    detach: async () => {},
    status,
    verify: status,
  }
}

function inWords({ type, domain, found, reason }: DnsRecord): string {
  const values = [...new Set(found.flatMap((each) => each.values))]
  return `${type} record of ${domain} (${values.join(', ')}): ${reason}`
}
