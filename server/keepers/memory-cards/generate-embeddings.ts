import type { EmbeddingStatus } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { embeddingLeaseMs, resumeEmbedding, startEmbedding } from './embedding-job.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import { toEmbeddingStatus } from './embedding-status.ts'
import { indexPendingCards } from './index-cards.ts'
import { queryPendingCards } from './pending-cards.ts'

/** Starts a background job for pending cards, unless one is running. @throws Problem 404; 409 for an unusable key */
export async function generateEmbeddings(
  services: Services,
  person: Person,
  keeperId: string,
): Promise<EmbeddingStatus> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  await indexPendingCards(services, keeper.id)
  await resumeEmbedding(services, { keeperId: keeper.id })
  const model = await chooseEmbeddingModel(services, person.id)
  if (model.providerChoice && 'refused' in model.providerChoice) throw model.providerChoice.refused
  const pending = await db.longRead(queryPendingCards(db, keeper, model.name).select('id'))
  if (pending.length > 0) {
    const now = services.now().getTime()
    const job = { id: services.newId(), keeper_id: keeper.id, owner_id: keeper.owner_id, model: model.name }
    try {
      await db
        .insertInto('embedding_jobs')
        .values({
          ...job,
          state: 'running',
          total: pending.length,
          done: 0,
          error: null,
          created_at: now,
          updated_at: now,
          lease_until: now + embeddingLeaseMs,
        })
        .execute()
      startEmbedding(services, job)
    } catch (error) {
      // A job is running: two clicks, or another tab.
      if (!(error instanceof UniqueViolation)) throw error
    }
  }
  return toEmbeddingStatus(services, keeper, model)
}
