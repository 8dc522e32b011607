import type { Services } from '#server/services.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
import { createCardVectorWrites, createSearchColumns } from './index-cards.ts'

/** Creates a card whose text the person has approved. */
export async function createApprovedCard(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  { id, content, topic }: { id: string; content: string; topic: string | null },
): Promise<void> {
  const topics = await resolveTopics(services, keeper, [topic ?? ''])
  const now = services.now().getTime()
  await createEntry(services, keeper, {
    entity: 'card',
    id,
    values: {
      ...noSource,
      reflection_id: null,
      reflection_agent_id: null,
      reflection_created_at: null,
      content,
      topic,
      ai_visible: true,
      state: 'active',
      ...createSearchColumns({ content, topic }, now),
    },
    extraWrites: (cardId) => [
      ...createCardVectorWrites(services, { id: cardId, content }, now),
      ...buildTopicLinkWrites(services, keeper, { entity: 'card', id: cardId, saidAt: now }, topics),
    ],
  })
  services.usage.add(keeper.owner_id, content.length)
}
