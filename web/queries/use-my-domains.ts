import { queryOptions, useQuery } from '@tanstack/react-query'
import { type DomainMember, domains } from '#contract/domains/domains.ts'
import { call } from '../api/api.ts'

/** Prefix of all domain queries, so that one invalidation updates every page. */
export const domainsKey = ['domains'] as const

export const myDomainsQuery = queryOptions({
  queryKey: [...domainsKey, 'mine'],
  queryFn: ({ signal }) => call(domains.mine, { signal }),
})

export const useMyDomains = () => useQuery(myDomainsQuery)

export const useMembers = (domainId: string) =>
  useQuery({
    queryKey: [...domainsKey, 'members', domainId],
    queryFn: ({ signal }) => fetchAllMembers(domainId, signal),
  })

/** The server's maximum per page. */
const memberPageSize = 1000

async function fetchAllMembers(id: string, signal: AbortSignal): Promise<DomainMember[]> {
  const members: DomainMember[] = []
  for (;;) {
    const cursor = members.at(-1)?.userId
    const page = await call(domains.members, {
      params: { id },
      query: cursor === undefined ? {} : { after: cursor },
      signal,
    })
    members.push(...page)
    if (page.length < memberPageSize) return members
  }
}
