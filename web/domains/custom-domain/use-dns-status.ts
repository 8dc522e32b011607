import { type QueryKey, useQuery } from '@tanstack/react-query'
import { customDomains, type DnsRecord, type DnsStatus } from '#contract/domains/custom-domains.ts'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'

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
export function canSeeCustomDomain({ permissions: [permission] }: Pick<Domain, 'permissions'>): boolean {
  return permission === undefined || canActInDomain(permission.role, 'seeCustomDomain')
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

type Nullable<Known> = { [name in keyof Known]?: Known[name] | null }
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
