import { type QueryKey, useQuery } from '@tanstack/react-query'
import { customDomains, type DnsStatus } from '#contract/domains/custom-domains.ts'
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

/** The specification says nothing of what is in `details`, so a server may leave out what it has nothing to say of. */
export function wholeStatus(
  given: Omit<Partial<DnsStatus>, 'details'> & { details?: Partial<DnsStatus['details']> | null },
): DnsStatus {
  return { ...nothingKnown, ...given, details: { ...nothingKnown.details, ...given.details } }
}

/** Name servers take their time; nothing else changes by itself. */
function waitsForDns(status: DnsStatus | undefined): boolean {
  return status ? status.attached && !status.configured && !status.details.verified : false
}
