import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { replaceError, UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { toKeeperRef } from '../keeper-access.ts'
import { createCardVectorWrites, createSearchColumns } from '../memory-cards/index-cards.ts'
import { showCard } from '../memory-cards/list-cards.ts'
import type { MemoryConsent } from '../memory-checks/memory-check.ts'
import { toPendingReflection } from '../memory-checks/pending-memory.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
import { type ReflectionRow, toReflection } from './list-reflections.ts'
import { createPromotedProblem } from './save-reflection.ts'

/** A unique index allows one card per reflection. @throws Problem 404; 409 when promoted; `stale`; `answers-changed` */
export async function promoteReflection(
  services: Services,
  person: Person,
  { id, ifMatch, consent }: { id: string; ifMatch: number | null; consent: MemoryConsent },
): Promise<MemoryCard> {
  return retryChanges(async () => {
    const row = await requireEntryFor(services, person, 'reflection', id)
    if (row.promoted_at !== null) throw createPromotedProblem()
    if (ifMatch !== null && ifMatch !== row.rev) {
      const current = toReflection(row)
      throw new Problem('stale', { data: { yours: { ...current, rev: ifMatch }, current } })
    }
    await consent.requireConsent(await toPendingReflection(services, person, row))
    return createCard(services, row)
  }).catch(replaceError(UniqueViolation, createPromotedProblem))
}

async function createCard(services: Services, row: ReflectionRow): Promise<MemoryCard> {
  const { db } = services
  const keeper = toKeeperRef(row)
  const topics = await resolveTopics(services, keeper, [row.topic ?? ''])
  const now = services.now().getTime()
  const linkTopics = (entity: 'reflection' | 'card', id: string) =>
    buildTopicLinkWrites(services, keeper, { entity, id, saidAt: row.created_at }, topics)
  const card = await createEntry(services, keeper, {
    entity: 'card',
    id: undefined,
    values: {
      ...noSource,
      reflection_id: row.id,
      reflection_agent_id: row.agent_id,
      reflection_created_at: row.created_at,
      content: row.content,
      topic: row.topic,
      ai_visible: row.ai_visible,
      state: 'active',
      ...createSearchColumns(row, now),
    },
    extraWrites: (id) => [
      ...createCardVectorWrites(services, { id, content: row.content }, now),
      requireChanges(
        db
          .updateTable('reflections')
          .set({ promoted_at: now, updated_at: now, rev: row.rev + 1 })
          .where('id', '=', row.id)
          .where('rev', '=', row.rev)
          .where('promoted_at', 'is', null)
          .where('deleted_at', 'is', null),
      ),
      ...linkTopics('reflection', row.id),
      ...linkTopics('card', id),
    ],
  })
  services.usage.add(keeper.owner_id, row.content.length)
  publishKeeperChanged(services, keeper.owner_id, keeper.id, 'reflection')
  return showCard(services, row.owner_id, card.id)
}
