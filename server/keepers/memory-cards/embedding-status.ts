import { sql } from 'kysely'
import { builtInModel, type EmbeddingStatus } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { hourMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { topicsOfCards } from './cards-by-topic.ts'
import { resumeEmbedding } from './embedding-job.ts'
import { type EmbeddingModel, embeddingModelFor } from './embedding-model.ts'
import { pendingCards } from './pending-cards.ts'
import { readUnreadCards } from './read-cards.ts'

/** A finished job stays in the status for this time. */
const ofInterestMs = hourMs

export async function embeddingStatus(services: Services, person: Person, keeperId: string): Promise<EmbeddingStatus> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  await readUnreadCards(services, keeper.id)
  // Any viewer resumes a job whose process is gone.
  await resumeEmbedding(services, { keeperId: keeper.id })
  return statusOf(services, keeper, await embeddingModelFor(services, person.id))
}

export async function statusOf(services: Services, keeper: KeeperRow, model: EmbeddingModel): Promise<EmbeddingStatus> {
  const { db } = services
  const [all, [waiting], topics, job] = await Promise.all([
    db
      .selectFrom('memory_cards')
      .select((count) => count.fn.countAll<number>().as('count'))
      .where('keeper_id', '=', keeper.id)
      .where('owner_id', '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db.longRead(pendingCards(db, keeper, model.name).select(sql<number>`count(*)`.as('count'))),
    topicsOfCards(services, keeper),
    db
      .selectFrom('embedding_jobs')
      .select(['id', 'state', 'total', 'done', 'error'])
      .where('keeper_id', '=', keeper.id)
      .where('updated_at', '>', services.now().getTime() - ofInterestMs)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
  ])
  const total = Number(all.count)
  const pending = Number(waiting?.count ?? 0)
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
