import { type DnsStatus, hostingNameServers } from '#contract/domains/custom-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { type HostingStatus, nothingYet } from '#server/domains/hosting/hosting-driver.ts'
import { hostingErrors } from '#server/domains/hosting/hosting-errors.ts'
import { isoTimeOrNull } from '#server/iso-time.ts'
import type { Services } from '#server/services.ts'
import { type DomainRow, requireDomainTo } from '../domain-access.ts'
import { countLook } from './count-look.ts'
import { hostedNameOf } from './hosted-name.ts'

export async function showStatus(services: Services, person: Person, id: string): Promise<DnsStatus> {
  const { domain } = await requireDomainTo(services, person, id, 'seeCustomDomain')
  const { hosting } = services
  if (!hosting) return statusView(services, domain, { ...nothingYet(), error: hostingErrors['403'], errorCode: '403' })
  const name = await hostedNameOf(services, domain)
  if (!name) return statusView(services, domain, nothingYet())
  await countLook(services, id)
  return statusView(services, domain, await hosting.status(name))
}

/** The wire format; whether it is verified comes from the row. */
export function statusView({ hosting, now }: Services, row: DomainRow, status: HostingStatus): DnsStatus {
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
      brokenSince: isoTimeOrNull(brokenSince),
      configuredBy: status.configuredBy,
      conflicts: status.conflicts,
    },
  }
}
