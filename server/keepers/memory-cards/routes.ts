import { memoryCards } from '#contract/keepers/memory-cards.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { MemoryConsent } from '../memory-checks/memory-check.ts'
import { listCardsByTopic } from './cards-by-topic.ts'
import { generateEmbeddings, showEmbeddingStatus } from './generate-embeddings.ts'
import { listCards, showCard } from './list-cards.ts'
import { saveCard } from './save-card.ts'
import { searchCards } from './search-cards.ts'

export function memoryCardRoutes(services: Services): ServedCall[] {
  return serveArea('memoryCards', memoryCards, {
    list: ({ person, params, query }) => listCards(services, person, params.id, query),
    byTopic: ({ person, params, query }) => listCardsByTopic(services, person, params.id, query.cursor),
    embeddingStatus: ({ person, params }) => showEmbeddingStatus(services, person, params.id),
    generateEmbeddings: ({ person, params }) => generateEmbeddings(services, person, params.id),
    search: ({ person, params, query }) => searchCards(services, person, params.id, query),
    show: ({ person, params }) => showCard(services, person.id, params.id),
    async update({ person, params, body: { goldenCheck, ...changes }, ifMatch }) {
      const consent = new MemoryConsent(services, person, goldenCheck)
      return consent.toReply(await saveCard(services, person, { id: params.id, ifMatch, changes, consent }))
    },
    remove: ({ person, params }) => trashEntry(services, person, 'card', params.id),
  })
}
