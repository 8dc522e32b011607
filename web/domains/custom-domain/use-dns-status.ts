import { type QueryKey, useQuery } from '@tanstack/react-query'
import { customDomains, type DnsRecord, type DnsStatus } from '#contract/domains/custom-domains.ts'
import { mayInDomain } from '#contract/domains/domain-deeds.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'

type Named = Pick<Domain, 'id' | 'customDomain' | 'customDomainVerified' | 'permissions'>

/** Not among the domains: each look asks name servers or the provider, which a change of anything else is no reason for. */
export function dnsStatusKey({ id, customDomain, customDomainVerified }: Named): QueryKey {
  return [...dnsStatusesKey(id), customDomain, customDomainVerified]
}

/** Of every custom domain that this domain had. */
export function dnsStatusesKey(id: string): QueryKey {
  return ['dns-status', id]
}

/** The owner and admins read how it stands, and who manages the platform's domains without being a member. */
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

/**
 * The specification names a record by type, domain and value, and says nothing of what is in `details`: a server may
 * leave out what it has nothing to say of.
 */
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

/** Name servers take their time; nothing else changes by itself. */
function waitsForDns(status: DnsStatus | undefined): boolean {
  return status ? status.attached && !status.configured && !status.details.verified : false
}
