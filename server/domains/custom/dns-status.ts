import { type DnsStatus, hostingNameServers } from '#contract/domains/custom-domains.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { DomainRow } from '../domain-access.ts'
import type { HostingStatus } from '../hosting/hosting-driver.ts'

export function toDnsStatus({ hosting, now }: Services, row: DomainRow, status: HostingStatus): DnsStatus {
  const { custom_domain_broken_since: brokenSince } = row
  return {
    attached: status.attached,
    configured: status.configured,
    records: status.records,
    nameServers: hostingNameServers,
    error: status.error,
    errorCode: status.errorCode,
    details: {
      customDomain: row.custom_domain,
      verified: row.custom_domain_verified,
      provider: hosting?.name ?? null,
      checkedAt: hosting && row.custom_domain ? now().toISOString() : null,
      brokenSince: toIsoTimeOrNull(brokenSince),
      configuredBy: status.configuredBy,
      conflicts: status.conflicts,
    },
  }
}
