import type { TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Services } from '#server/services.ts'
import type { NewEntryRow } from '../entries/create-entry.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { noSideEffects, type SideEffects } from '../entries/save-entry.ts'
import { buildTopicLinkWrites, type LinkedTopic } from '../topics/link-topics.ts'
import { createReadyWrite, queryWaitingEchoes, type WaitingEcho } from './echo-triggers.ts'

interface Mentions {
  topics: LinkedTopic[]
  /** Only these trigger echoes; all topics by default. */
  newTopics?: LinkedTopic[]
  saidAt?: number
}

/** Replaces the topics of an entry, and triggers the echoes that wait for one. */
export async function buildTopicEffects(
  services: Services,
  entity: TopicalEntity,
  { id, keeper_id, owner_id, created_at }: NewEntryRow,
  { topics, newTopics = topics, saidAt = created_at }: Mentions,
): Promise<SideEffects> {
  const links = buildTopicLinkWrites(services, { id: keeper_id, owner_id }, { entity, id, saidAt }, topics)
  const { writes, notify } = await checkTopicTriggers(services, keeper_id, newTopics)
  return { writes: [...links, ...writes], notify }
}

async function checkTopicTriggers(services: Services, keeperId: string, topics: LinkedTopic[]): Promise<SideEffects> {
  if (topics.length === 0) return noSideEffects
  const waitingEchoes = await findConditionalEchoes(services, keeperId, ({ topic }) => Boolean(topic))
  if (waitingEchoes.length === 0) return noSideEffects
  const topicNames = await loadTopicNames(services, keeperId, topics)
  const triggeredEchoes = waitingEchoes.filter(({ trigger_conditions }) =>
    topicNames.has(normalizeTopicName(trigger_conditions?.topic ?? '')),
  )
  return createReadyEffects(services, triggeredEchoes, (echo) => `“${echo.trigger_conditions?.topic}” came up again.`)
}

export async function checkJourneyTriggers(
  services: Services,
  journey: Pick<EntryRow<'journey'>, 'id' | 'keeper_id' | 'title'>,
): Promise<SideEffects> {
  const waitingEchoes = await findConditionalEchoes(
    services,
    journey.keeper_id,
    ({ journeyId }) => journeyId === journey.id,
  )
  return createReadyEffects(services, waitingEchoes, () => formatCompletedReason(journey.title))
}

function createReadyEffects(
  services: Services,
  echoes: WaitingEcho[],
  formatReason: (echo: WaitingEcho) => string,
): SideEffects {
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
