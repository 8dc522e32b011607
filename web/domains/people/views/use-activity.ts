import { useInfiniteQuery } from '@tanstack/react-query'
import { people } from '#contract/domains/people.ts'
import { call } from '#web/api/api.ts'

export const useActivity = (domainId: string) =>
  useInfiniteQuery({
    queryKey: ['people', 'activity', domainId],
    queryFn: ({ pageParam, signal }) =>
      call(people.activity, { params: { id: domainId }, query: pageParam ? { cursor: pageParam } : {}, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
