import type { MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { toCardView } from './card-view.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'

export async function showCard(services: Services, personId: string, id: string): Promise<MemoryCard> {
  const [row, { name }] = await Promise.all([
    requireEntryFor(services, { id: personId }, 'card', id),
    chooseEmbeddingModel(services, personId),
  ])
  return toCardView(row, name)
}
