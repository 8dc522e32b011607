import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { type CallResult, callEnvelope } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { keeperKey } from '../keeper-queries.ts'

/** A topic with its mentions, related topics and merges. */
export type TopicDetails = CallResult<typeof topics.show>

interface TopicPage {
  data?: TopicDetails
  next_cursor?: string | null
}

export const useTopics = (keeper: Keeper) =>
  useQuery<Topic[]>({
    queryKey: keeperKey(keeper.id, 'topic', 'list'),
    queryFn: ({ signal }) => readAllPages<Topic>(topics.list, { id: keeper.id }, signal),
  })

/** `isDeleting` stops fetching a topic that is about to be deleted or merged. */
export function useTopic(keeper: Keeper, id: string, isDeleting: boolean) {
  const { data, ...query } = useInfiniteQuery({
    enabled: !isDeleting,
    queryKey: keeperKey(keeper.id, 'topic', id),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }): Promise<TopicPage> =>
      callEnvelope(topics.show, { params: { id }, query: { ...(pageParam && { cursor: pageParam }) }, signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const pages = data?.pages.flatMap((page) => page.data ?? []) ?? []
  const topic = pages[0] && { ...pages[0], mentions: pages.flatMap(({ mentions }) => mentions) }
  return { ...query, data: topic }
}
