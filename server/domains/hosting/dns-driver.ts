import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { findBlockingCaa } from './caa.ts'
import type { DnsQuery } from './dns-query.ts'
import { createEmptyStatus, type HostedName, type HostingDriver, type HostingStatus } from './hosting-driver.ts'
import { hostingErrors } from './hosting-errors.ts'
import { checkOwnership } from './ownership.ts'
import { checkRouting, type Edge } from './routing.ts'

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
