import { type DnsStatus, hostingNameServers } from '#contract/domains/custom-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { createEmptyStatus, type HostingStatus } from '#server/domains/hosting/hosting-driver.ts'
import { hostingErrors } from '#server/domains/hosting/hosting-errors.ts'
import type { Services } from '#server/services.ts'
import { toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { type DomainRow, requireDomainTo } from '../domain-access.ts'
import { countStatusCheck } from './custom-domain-limits.ts'
import { toHostedName } from './hosted-name.ts'

export async function showDnsStatus(services: Services, person: Person, id: string): Promise<DnsStatus> {
  const { domain } = await requireDomainTo(services, person, id, 'seeCustomDomain')
  const { hosting } = services
  if (!hosting)
    return toDnsStatus(services, domain, { ...createEmptyStatus(), error: hostingErrors['403'], errorCode: '403' })
  const name = await toHostedName(services, domain)
  if (!name) return toDnsStatus(services, domain, createEmptyStatus())
  await countStatusCheck(services, id)
  return toDnsStatus(services, domain, await hosting.status(name))
}

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
