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

type Provider = DnsStatus['details']['provider']

export function toStatusErrorText({ error, errorCode, details: { provider } }: DnsStatus): string | undefined {
  if (error === null && errorCode === null) return undefined
  const isDnsOnly = provider === 'dns'
  if (errorCode === '403')
    return isDnsOnly
      ? 'Access denied to the provider. Please check its configuration.'
      : 'Access denied to Vercel. Please check your Vercel configuration.'
  if (errorCode === '404')
    return isDnsOnly
      ? 'Domain not found at the provider. Please add it first.'
      : 'Domain not found in Vercel project. Please add it to Vercel first.'
  if (errorCode === 'DNS_CONFIG_ERROR') return 'Failed to load DNS configuration. Please try again.'
  return `${isDnsOnly ? 'Provider' : 'Vercel'} error: ${error ?? errorCode}`
}

export const toAddedText = (provider: Provider) =>
  provider === 'dns' ? 'Domain added to the provider successfully' : 'Domain added to Vercel successfully'

export const toNotAddedText = (provider: Provider) =>
  provider === 'dns' ? 'Failed to add domain to the provider' : 'Failed to add domain to Vercel'

export function getStatusButtons(
  status: DnsStatus,
  verified: boolean,
): { add: boolean; retry: boolean; check: boolean; verify: boolean } {
  const { attached, configured } = status
  const hasError = toStatusErrorText(status) !== undefined
  return {
    add: !attached && !hasError,
    retry: hasError,
    check: attached && !configured,
    verify: attached && !verified && configured,
  }
}

/** Whether a name is an apex domain, where a website usually exists. The server decides; this only warns. */
export function isApexName(name: string): boolean {
  const labels = name
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z\d+.-]*:\/\//, '')
    .replace(/[/:?#].*$/s, '')
    .replace(/\.$/, '')
    .split('.')
  if (labels.some((label) => label === '')) return false
  const hasCountrySuffix =
    /^(?:ac|co|com|edu|gov|ne|net|or|org)$/.test(labels.at(-2) ?? '') && labels.at(-1)?.length === 2
  return labels.length === (hasCountrySuffix ? 3 : 2)
}
