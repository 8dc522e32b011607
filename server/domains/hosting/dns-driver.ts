import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { findBlockingCaa } from './caa.ts'
import { emptyStatus, type HostedName, type HostingDriver, type HostingStatus } from './hosting-driver.ts'
import { hostingErrors } from './hosting-errors.ts'
import type { NameServers } from './name-servers.ts'
import { checkOwnership } from './ownership.ts'
import { checkRouting, type Edge } from './routing.ts'

export function createDnsDriver(edge: Edge, nameServers: NameServers): HostingDriver {
  const getStatus = async (name: HostedName): Promise<HostingStatus> => {
    if (name.attachedAt === null) return emptyStatus()
    const [ownership, routing, caa] = await Promise.all([
      checkOwnership(nameServers, name),
      checkRouting(nameServers, edge, name.hostname),
      findBlockingCaa(nameServers, name.hostname),
    ])
    const conflicting = [...routing.conflicting, ...caa]
    const records = [ownership, routing.record, ...conflicting]
    const unknown = records.some(({ state }) => state === 'unknown')
    const configured = routing.configuredBy !== null && conflicting.length === 0
    return {
      attached: true,
      configured,
      verified: configured && ownership.state === 'ok',
      records,
      error: unknown ? hostingErrors.DNS_CONFIG_ERROR : null,
      errorCode: unknown ? 'DNS_CONFIG_ERROR' : null,
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
