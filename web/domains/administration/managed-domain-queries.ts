import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { domains } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { domainsKey } from '#web/queries/use-my-domains.ts'

const serverPageSize = 1000

export const useManagedDomains = (search: string, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...domainsKey, 'managed', search],
    queryFn: ({ pageParam, signal }) =>
      call(domains.all, { query: { ...(search && { search }), ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < serverPageSize ? null : page.at(-1)?.id),
    placeholderData: keepPreviousData,
    enabled,
  })
