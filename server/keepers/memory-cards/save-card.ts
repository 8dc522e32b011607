import type * as z from 'zod/mini'
import type { MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MemoryConsent } from '../memory-checks/memory-check.ts'
import { toPendingCard } from '../memory-checks/pending-memory.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
import { canSend } from './embed-batch.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import { createCardVectorWrites, createSearchColumns } from './index-cards.ts'
import { type CardRow, toCardView } from './list-cards.ts'

type CardChanges = Omit<z.output<NonNullable<typeof memoryCards.update.body>>, 'goldenCheck'>

interface CardSave {
  id: string
  ifMatch: number | null
  changes: CardChanges
  consent: MemoryConsent
}

/** @throws Problem 404; `stale`; `answers-changed` when the approval lacks the consent it needs */
export async function saveCard(
  services: Services,
  person: Person,
  { id, ifMatch, changes, consent }: CardSave,
): Promise<MemoryCard> {
  const { name: model } = await chooseEmbeddingModel(services, person.id)
  const now = services.now().getTime()
  const row = await saveEntry(services, person, {
    entity: 'card',
    id,
    ifMatch,
    async getChanges(current) {
      const changed = getChanges(current, changes)
      if (changed.state === 'active' && (ifMatch === null || ifMatch === current.rev))
        await consent.requireConsent(
          await toPendingCard(services, person, { ...current, ...changed, state: current.state }),
        )
      return needsNewVector(current, changed)
        ? { ...changed, ...createSearchColumns({ ...current, ...changed }, now) }
        : changed
    },
    extraWrites(current) {
      const changed = getChanges(current, changes)
      return needsNewVector(current, changed)
        ? createCardVectorWrites(services, { id, content: changed.content ?? current.content }, now)
        : []
    },
    async sideEffects(current) {
      const { topic } = getChanges(current, changes)
      if (topic === undefined) return noSideEffects
      const topics = await resolveTopics(services, { id: current.keeper_id }, [topic ?? ''])
      return buildTopicEffects(services, 'card', current, { topics })
    },
    toView: (current) => toCardView(current, model),
  })
  return toCardView(row, model)
}

function getChanges(current: CardRow, { content, topic, aiVisible, state }: CardChanges) {
  return {
    ...(content !== undefined && content !== current.content && { content }),
    ...(topic !== undefined && (topic || null) !== current.topic && { topic: topic || null }),
    ...(aiVisible !== undefined && aiVisible !== current.ai_visible && { ai_visible: aiVisible }),
    ...(state !== undefined && state !== current.state && { state }),
  }
}

function needsNewVector(current: CardRow, changed: ReturnType<typeof getChanges>): boolean {
  const isWithdrawn = canSend(current) && changed.ai_visible === false
  return changed.content !== undefined || changed.topic !== undefined || isWithdrawn
}

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
