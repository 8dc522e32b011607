import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import type { TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Mention, normalizeTopicName, type Topic, topics } from '#contract/keepers/topics.ts'
import { type CallResult, callEnvelope } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { toLocalDay } from '#web/ui/text/days.ts'
import { getMomentPath } from '../journeys/journey-queries.ts'
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

export const entityLabels: Record<TopicalEntity, [singular: string, plural: string]> = {
  moment: ['moment', 'moments'],
  reflection: ['reflection', 'reflections'],
  card: ['memory card', 'memory cards'],
  voice: ['voice entry', 'voice entries'],
  logbook: ['logbook entry', 'logbook entries'],
}

/** '3 moments, 1 reflection'; '' when all counts are zero. */
export function formatTopicCounts(counts: Topic['counts']): string {
  return (Object.keys(entityLabels) as TopicalEntity[])
    .filter((entity) => counts[entity] > 0)
    .map((entity) => {
      const [singular, plural] = entityLabels[entity]
      return `${counts[entity]} ${counts[entity] === 1 ? singular : plural}`
    })
    .join(', ')
}

export function filterTopics(topics: readonly Topic[], search: string): Topic[] {
  const searchText = normalizeTopicName(search)
  return topics.filter(({ name, aliases }) =>
    [name, ...aliases].some((label) => normalizeTopicName(label).includes(searchText)),
  )
}

/** Links to the entry of a mention; a moment opens on its local day. */
export function getMentionPath(keeperId: string, { entity, id, at }: Pick<Mention, 'entity' | 'id' | 'at'>): string {
  if (entity === 'moment') return getMomentPath(keeperId, { id, localDate: toLocalDay(at) })
  return getEntryPath({ entity, keeperId, id })
}
