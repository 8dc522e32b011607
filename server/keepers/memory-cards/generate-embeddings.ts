import { sql } from 'kysely'
import { builtInModel, type EmbeddingStatus } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { isOwnedIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { countCardsByTopic } from './cards-by-topic.ts'
import { queryPendingCards } from './embed-batch.ts'
import { embeddingLeaseMs, resumeEmbedding, startEmbedding } from './embedding-job.ts'
import { chooseEmbeddingModel, type EmbeddingModel } from './embedding-model.ts'
import { indexPendingCards } from './index-cards.ts'

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

const finishedJobVisibleMs = hourMs

export async function showEmbeddingStatus(
  services: Services,
  person: Person,
  keeperId: string,
): Promise<EmbeddingStatus> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  await indexPendingCards(services, keeper.id)
  // A crashed process leaves its job behind; any viewer resumes it.
  await resumeEmbedding(services, { keeperId: keeper.id })
  return toEmbeddingStatus(services, keeper, await chooseEmbeddingModel(services, person.id))
}

async function toEmbeddingStatus(
  services: Services,
  keeper: KeeperRow,
  model: EmbeddingModel,
): Promise<EmbeddingStatus> {
  const { db } = services
  const [totalRow, [pendingRow], topics, job] = await Promise.all([
    db
      .selectFrom('memory_cards')
      .select((count) => count.fn.countAll<number>().as('count'))
      .where(isOwnedIn(keeper))
      .executeTakeFirstOrThrow(),
    db.longRead(queryPendingCards(db, keeper, model.name).select(sql<number>`count(*)`.as('count'))),
    countCardsByTopic(services, keeper),
    db
      .selectFrom('embedding_jobs')
      .select(['id', 'state', 'total', 'done', 'error'])
      .where('keeper_id', '=', keeper.id)
      .where('updated_at', '>', services.now().getTime() - finishedJobVisibleMs)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  ])
  const total = Number(totalRow.count)
  const pending = Number(pendingRow?.count ?? 0)
  return {
    total,
    embedded: total - pending,
    pending,
    model: model.name,
    lexical: model.name === builtInModel,
    topics: topics.flatMap(({ topic, count }) => (topic === null ? [] : [{ topic, count }])),
    job: job ?? null,
  }
}
