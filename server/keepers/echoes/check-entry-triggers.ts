import type { Selectable } from 'kysely'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import type { LinkedTopic } from '../topics/link-topics.ts'
import { createReadyWrite, queryWaitingEchoes, type WaitingEcho } from './echo-triggers.ts'

/** Echoes triggered by a write: `writes` belong in its batch, `notify` is called afterwards. */
interface TriggerNotices {
  writes: Write[]
  notify(): void
}

export const noTriggerNotices: TriggerNotices = { writes: [], notify() {} }

export async function checkTopicTriggers(
  services: Services,
  keeperId: string,
  topics: LinkedTopic[],
): Promise<TriggerNotices> {
  if (topics.length === 0) return noTriggerNotices
  const waitingEchoes = await findConditionalEchoes(services, keeperId, ({ topic }) => Boolean(topic))
  if (waitingEchoes.length === 0) return noTriggerNotices
  const topicNames = await loadTopicNames(services, keeperId, topics)
  const triggeredEchoes = waitingEchoes.filter(({ trigger_conditions }) =>
    topicNames.has(normalizeTopicName(trigger_conditions?.topic ?? '')),
  )
  return createNotices(services, triggeredEchoes, (echo) => `“${echo.trigger_conditions?.topic}” came up again.`)
}

export async function checkJourneyTriggers(
  services: Services,
  journey: Pick<Selectable<Schema['journeys']>, 'id' | 'keeper_id' | 'title'>,
): Promise<TriggerNotices> {
  const waitingEchoes = await findConditionalEchoes(
    services,
    journey.keeper_id,
    ({ journeyId }) => journeyId === journey.id,
  )
  return createNotices(services, waitingEchoes, () => formatCompletedReason(journey.title))
}

function createNotices(
  services: Services,
  echoes: WaitingEcho[],
  formatReason: (echo: WaitingEcho) => string,
): TriggerNotices {
  const now = services.now().getTime()
  return {
    writes: echoes.map((echo) => createReadyWrite(services, echo, formatReason(echo), now)),
    notify() {
      const [echo] = echoes
      if (echo) publishKeeperChanged(services, echo.owner_id, echo.keeper_id, 'echo')
    },
  }
}

export const formatCompletedReason = (title: string) => `The journey “${title}” is complete.`

async function findConditionalEchoes(
  services: Services,
  keeperId: string,
  matchesConditions: (conditions: NonNullable<WaitingEcho['trigger_conditions']>) => boolean,
): Promise<WaitingEcho[]> {
  const rows = await queryWaitingEchoes(services, keeperId).where('echoes.trigger_conditions', 'is not', null).execute()
  return rows.filter(({ trigger_conditions }) => trigger_conditions !== null && matchesConditions(trigger_conditions))
}

async function loadTopicNames(
  { db }: Services,
  keeperId: string,
  mentionedTopics: LinkedTopic[],
): Promise<Set<string>> {
  const topicIds = mentionedTopics.map(({ id }) => id)
  const [topics, aliases] = await Promise.all([
    db
      .selectFrom('topics')
      .select('name_folded as name')
      .where('keeper_id', '=', keeperId)
      .where((where) => where.or([where('id', 'in', topicIds), where('merged_into', 'in', topicIds)]))
      .execute(),
    db
      .selectFrom('topic_aliases')
      .select('alias_folded as name')
      .where('keeper_id', '=', keeperId)
      .where('topic_id', 'in', topicIds)
      .execute(),
  ])
  return new Set([
    ...mentionedTopics.map(({ name }) => normalizeTopicName(name)),
    ...[...topics, ...aliases].map(({ name }) => name),
  ])
}
