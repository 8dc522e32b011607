import type { Topic } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { topicViews } from './topic-view.ts'

/** Pinned ones first, then the fullest. */
export async function listTopics(services: Services, person: Person, keeperId: string): Promise<Topic[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await services.db
    .selectFrom('topics')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
    .execute()
  const topics = await topicViews(services, keeper.id, rows)
  return topics.toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.total - a.total || a.name.localeCompare(b.name, 'en'),
  )
}
