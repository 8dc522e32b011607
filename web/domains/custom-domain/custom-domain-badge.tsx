import { type QueryKey, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { customDomains, type DnsRecord, type DnsStatus } from '#contract/domains/custom-domains.ts'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { Badge } from '#web/ui/panels/badge.tsx'

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

/** Labels that countries register names under, as in `example.co.uk`. */
const secondLevelPattern = /^(?:ac|co|com|edu|gov|ne|net|or|org)$/

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
  const hasCountrySuffix = secondLevelPattern.test(labels.at(-2) ?? '') && labels.at(-1)?.length === 2
  return labels.length === (hasCountrySuffix ? 3 : 2)
}

type DnsDomain = Pick<Domain, 'id' | 'customDomain' | 'customDomainVerified' | 'permissions'>

/** Separate from the domains key: invalidating domains must not query name servers or the provider. */
export function getDnsStatusKey({ id, customDomain, customDomainVerified }: DnsDomain): QueryKey {
  return [...getDnsStatusesKey(id), customDomain, customDomainVerified]
}

/** Prefix for all custom domains this domain has had. */
export function getDnsStatusesKey(id: string): QueryKey {
  return ['dns-status', id]
}

/** Also true for platform administrators, who have no role in the domain. */
export function canSeeCustomDomain(domain: Pick<Domain, 'permissions'>): boolean {
  const role = getOwnRole(domain)
  return role === undefined || canActInDomain(role, 'seeCustomDomain')
}

const dnsPollMs = 60_000

export function useDnsStatus(
  domain: DnsDomain,
  { enabled, shouldPoll = false }: { enabled: boolean; shouldPoll?: boolean },
) {
  return useQuery<DnsStatus>({
    queryKey: getDnsStatusKey(domain),
    queryFn: async ({ signal }) =>
      normalizeDnsStatus(await call(customDomains.status, { params: { id: domain.id }, signal })),
    enabled: enabled && domain.customDomain !== null && canSeeCustomDomain(domain),
    refetchInterval: ({ state: { data } }) => shouldPoll && isWaitingForDns(data) && dnsPollMs,
  })
}

const unknownDnsStatus: DnsStatus = {
  attached: false,
  configured: false,
  records: [],
  nameServers: [],
  error: null,
  errorCode: null,
  details: {
    customDomain: null,
    verified: false,
    provider: null,
    checkedAt: null,
    brokenSince: null,
    configuredBy: null,
    conflicts: [],
  },
}

type Nullable<Fields> = { [name in keyof Fields]?: Fields[name] | null }
export type PartialDnsStatus = Nullable<Omit<DnsStatus, 'details' | 'records'>> & {
  records?: (Pick<DnsRecord, 'type' | 'domain' | 'value'> & Nullable<DnsRecord>)[] | null
  details?: Partial<DnsStatus['details']> | null
}

/** Fills in fields that a server may omit: only type, domain and value of a record are guaranteed. */
export function normalizeDnsStatus(partial: PartialDnsStatus): DnsStatus {
  const definedFields = Object.fromEntries(Object.entries(partial).filter(([, value]) => value !== null))
  return {
    ...unknownDnsStatus,
    ...definedFields,
    records: (partial.records ?? []).map((record) => ({
      ...record,
      found: record.found ?? [],
      state: record.state ?? 'unknown',
      reason: record.reason ?? '',
    })),
    details: { ...unknownDnsStatus.details, ...partial.details },
  }
}

/** Only DNS propagation changes without user action. */
function isWaitingForDns(status: DnsStatus | undefined): boolean {
  return status ? status.attached && !status.configured && !status.details.verified : false
}
