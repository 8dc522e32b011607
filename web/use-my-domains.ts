import { queryOptions, useQuery } from '@tanstack/react-query'
import { domains } from '#contract/domains/domains.ts'
import { call } from './api.ts'

/** Whatever is asked about domains stands under it, so that a change is seen wherever they are shown. */
export const domainsKey = ['domains'] as const

export const myDomainsQuery = queryOptions({
  queryKey: [...domainsKey, 'mine'],
  queryFn: ({ signal }) => call(domains.mine, { signal }),
})

export const useMyDomains = () => useQuery(myDomainsQuery)

export const useMembers = (domainId: string) =>
  useQuery({
    queryKey: [...domainsKey, 'members', domainId],
    queryFn: ({ signal }) => call(domains.members, { params: { id: domainId }, signal }),
  })
