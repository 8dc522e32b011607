import { type QueryKey, useQuery } from '@tanstack/react-query'
import { customDomains, type DnsRecord, type DnsStatus } from '#contract/domains/custom-domains.ts'
import { mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'

type Named = Pick<Domain, 'id' | 'customDomain' | 'customDomainVerified' | 'permissions'>

/** Separate from the domains key: invalidating domains must not query name servers or the provider. */
export function dnsStatusKey({ id, customDomain, customDomainVerified }: Named): QueryKey {
  return [...dnsStatusesKey(id), customDomain, customDomainVerified]
}

/** Prefix for all custom domains this domain has had. */
export function dnsStatusesKey(id: string): QueryKey {
  return ['dns-status', id]
}

/** Also true for platform administrators, who have no role in the domain. */
export function maySeeCustomDomain({ permissions: [own] }: Pick<Domain, 'permissions'>): boolean {
  return own === undefined || mayInDomain(own.role, 'seeCustomDomain')
}

const lookAgainMs = 60_000

export function useDnsStatus(
  domain: Named,
  { wanted, keepsLooking = false }: { wanted: boolean; keepsLooking?: boolean },
) {
  return useQuery<DnsStatus>({
    queryKey: dnsStatusKey(domain),
    queryFn: async ({ signal }) => wholeStatus(await call(customDomains.status, { params: { id: domain.id }, signal })),
    enabled: wanted && domain.customDomain !== null && maySeeCustomDomain(domain),
    refetchInterval: ({ state: { data } }) => keepsLooking && waitsForDns(data) && lookAgainMs,
  })
}

const nothingKnown: DnsStatus = {
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

type Loose<Known> = { [name in keyof Known]?: Known[name] | null }
export type GivenStatus = Loose<Omit<DnsStatus, 'details' | 'records'>> & {
  records?: (Pick<DnsRecord, 'type' | 'domain' | 'value'> & Loose<DnsRecord>)[] | null
  details?: Partial<DnsStatus['details']> | null
}

/** Fills in fields that a server may omit: only type, domain and value of a record are guaranteed. */
export function wholeStatus(given: GivenStatus): DnsStatus {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  return {
    ...nothingKnown,
    ...said,
    records: (given.records ?? []).map((record) => ({
      ...record,
      found: record.found ?? [],
      state: record.state ?? 'unknown',
      reason: record.reason ?? '',
    })),
    details: { ...nothingKnown.details, ...given.details },
  }
}

/** Only DNS propagation changes without user action. */
function waitsForDns(status: DnsStatus | undefined): boolean {
  return status ? status.attached && !status.configured && !status.details.verified : false
}
