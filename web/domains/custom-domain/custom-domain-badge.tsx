import { Check } from 'lucide-react'
import type { DnsStatus } from '#contract/domains/custom-domains.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { canSeeCustomDomain, useDnsStatus } from './use-dns-status.ts'

export function CustomDomainBadge({ domain }: { domain: Domain }) {
  const { data } = useDnsStatus(domain, { enabled: !domain.customDomainVerified })
  if (domain.customDomain === null) return null
  if (!domain.customDomainVerified && !canSeeCustomDomain(domain)) return null
  return <DnsBadge verified={domain.customDomainVerified} status={data} />
}

export function DnsBadge({ verified, status }: { verified: boolean; status: DnsStatus | undefined }) {
  if (verified)
    return (
      <Badge tone="success" icon={<Check aria-hidden size={11} strokeWidth={2.4} />}>
        Verified
      </Badge>
    )
  return status?.configured ? (
    <Badge tone="info" dot>
      DNS Ready
    </Badge>
  ) : (
    <Badge tone="warning" dot>
      DNS Pending
    </Badge>
  )
}
