import { sql } from 'kysely'
import { builtInModel, type EmbeddingStatus } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { countCardsByTopic } from './cards-by-topic.ts'
import { resumeEmbedding } from './embedding-job.ts'
import { chooseEmbeddingModel, type EmbeddingModel } from './embedding-model.ts'
import { indexPendingCards } from './index-cards.ts'
import { queryPendingCards } from './pending-cards.ts'

const finishedJobVisibleMs = hourMs

export async function showEmbeddingStatus(
  services: Services,
  person: Person,
  keeperId: string,
): Promise<EmbeddingStatus> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  await indexPendingCards(services, keeper.id)
  // Any viewer resumes a job whose process is gone.
  await resumeEmbedding(services, { keeperId: keeper.id })
  return toEmbeddingStatus(services, keeper, await chooseEmbeddingModel(services, person.id))
}

export async function toEmbeddingStatus(
  services: Services,
  keeper: KeeperRow,
  model: EmbeddingModel,
): Promise<EmbeddingStatus> {
  const { db } = services
  const [totalRow, [pendingRow], topics, job] = await Promise.all([
    db
      .selectFrom('memory_cards')
      .select((count) => count.fn.countAll<number>().as('count'))
      .where('keeper_id', '=', keeper.id)
      .where('owner_id', '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
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
