import { useQuery } from '@tanstack/react-query'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Topic, topics } from '#contract/keepers/topics.ts'
import { type Answer, call } from '#web/api.ts'
import { keeperKey } from '../keeper-queries.ts'
import { isSampleKeeper } from '../samples/sample-keepers.ts'
import { sampleTopic, sampleTopics } from '../samples/sample-topics.ts'

/** With what was said about it, what comes along, and what was merged into it. */
export type WholeTopic = Answer<typeof topics.show>

export const useTopics = (keeper: Keeper) =>
  useQuery<Topic[]>({
    queryKey: keeperKey(keeper.id, 'topic', 'list'),
    queryFn: async ({ signal }) =>
      isSampleKeeper(keeper.id) ? sampleTopics : call(topics.list, { params: { id: keeper.id }, signal }),
  })

/** `leaving`: it is about to be deleted or merged, and not asked for any more. */
export const useTopic = (keeper: Keeper, id: string, leaving: boolean) =>
  useQuery<WholeTopic>({
    enabled: !leaving,
    queryKey: keeperKey(keeper.id, 'topic', id),
    queryFn: async ({ signal }) =>
      isSampleKeeper(keeper.id) ? sampleTopic(id) : call(topics.show, { params: { id }, signal }),
  })
