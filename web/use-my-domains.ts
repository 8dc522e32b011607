import { queryOptions, useQuery } from '@tanstack/react-query'
import { type DomainMember, domains } from '#contract/domains/domains.ts'
import { call } from './api.ts'

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
    queryFn: ({ signal }) => everyMember(domainId, signal),
  })

/** The server's maximum per page. */
const atOnce = 1000

async function everyMember(id: string, signal: AbortSignal): Promise<DomainMember[]> {
  const members: DomainMember[] = []
  for (;;) {
    const after = members.at(-1)?.userId
    const page = await call(domains.members, { params: { id }, query: after === undefined ? {} : { after }, signal })
    members.push(...page)
    if (page.length < atOnce) return members
  }
}
