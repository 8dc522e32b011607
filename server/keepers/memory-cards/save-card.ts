import type * as z from 'zod/mini'
import type { MemoryCard, memoryCards } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { noNotices, noticeTopics } from '../echoes/notice.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import type { MemoryConsent } from '../memory-checks/memory-consent.ts'
import { toPendingCard } from '../memory-checks/pending-memory.ts'
import { topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { type CardRow, cardView } from './card-view.ts'
import { embeddingModelFor } from './embedding-model.ts'
import { maySend } from './pending-cards.ts'
import { cardVector, foundBy } from './read-cards.ts'

type Changes = Omit<z.output<NonNullable<typeof memoryCards.update.body>>, 'goldenCheck'>

interface CardSave {
  id: string
  ifMatch: number | null
  changes: Changes
  consent: MemoryConsent
}

/** A changed text gets the built-in vector in the same write and waits for the provider's.
 * @throws Problem 404; `stale`; `answers-changed` when the approval lacks the consent it needs */
export async function saveCard(
  services: Services,
  person: Person,
  { id, ifMatch, changes, consent }: CardSave,
): Promise<MemoryCard> {
  const { name: model } = await embeddingModelFor(services, person.id)
  const now = services.now().getTime()
  let notices = noNotices
  const row = await saveEntry(services, person, {
    entity: 'card',
    id,
    ifMatch,
    async changes(present) {
      const changed = changedBy(present, changes)
      if (changed.state === 'active' && (ifMatch === null || ifMatch === present.rev))
        await consent.require(await toPendingCard(services, person, { ...present, ...changed, state: present.state }))
      return isReadAnew(present, changed) ? { ...changed, ...foundBy({ ...present, ...changed }, now) } : changed
    },
    async along(present) {
      const changed = changedBy(present, changes)
      const vector = isReadAnew(present, changed)
        ? cardVector(services, { id, content: changed.content ?? present.content }, now)
        : []
      if (changed.topic === undefined) return vector
      const keeper = { id: present.keeper_id, owner_id: present.owner_id }
      const topics = await topicsMeant(services, keeper, changed.topic ? [changed.topic] : [])
      notices = await noticeTopics(services, keeper.id, topics)
      const links = topicLinks(services, keeper, { entity: 'card', id, saidAt: present.created_at }, topics)
      return [...vector, ...links, ...notices.writes]
    },
    view: (present) => cardView(present, model),
  })
  notices.tell()
  return cardView(row, model)
}

/** Only differences, so that saving without a change writes nothing. */
function changedBy(
  present: CardRow,
  { content, topic, aiVisible, state }: Changes,
): Pick<EntryChanges<'card'>, 'ai_visible' | 'state'> & { content?: string; topic?: string | null } {
  return {
    ...(content !== undefined && content !== present.content && { content }),
    ...(topic !== undefined && (topic || null) !== present.topic && { topic: topic || null }),
    ...(aiVisible !== undefined && aiVisible !== present.ai_visible && { ai_visible: aiVisible }),
    ...(state !== undefined && state !== present.state && { state }),
  }
}

/** The text changed, or the provider's vector must be removed. */
function isReadAnew(present: CardRow, changed: ReturnType<typeof changedBy>): boolean {
  const isWithdrawn = maySend(present) && changed.ai_visible === false
  return changed.content !== undefined || changed.topic !== undefined || isWithdrawn
}
