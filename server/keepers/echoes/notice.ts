import type { Selectable } from 'kysely'
import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import type { LinkedTopic } from '../topics/link-topics.ts'
import { readying, type WaitingEcho, waitingEchoes } from './make-ready.ts'

/** Echoes triggered by a write: `writes` belong in its batch, `notify` is called afterwards. */
export interface Notices {
  writes: Write[]
  tell(): void
}

export const noNotices: Notices = { writes: [], tell() {} }

/** Triggers echoes that wait for one of these topics. */
export async function noticeTopics(services: Services, keeperId: string, topics: LinkedTopic[]): Promise<Notices> {
  if (topics.length === 0) return noNotices
  const waiting = await conditional(services, keeperId, ({ topic }) => Boolean(topic))
  if (waiting.length === 0) return noNotices
  const said = await namesOf(services, keeperId, topics)
  const heard = waiting.filter(({ trigger_conditions }) => said.has(foldedTopic(trigger_conditions?.topic ?? '')))
  return noticesOf(services, heard, (echo) => `“${echo.trigger_conditions?.topic}” was said again.`)
}

/** Triggers echoes that wait for this journey. */
export async function noticeJourneyCompleted(
  services: Services,
  journey: Pick<Selectable<Schema['journeys']>, 'id' | 'keeper_id' | 'title'>,
): Promise<Notices> {
  const waiting = await conditional(services, journey.keeper_id, ({ journeyId }) => journeyId === journey.id)
  return noticesOf(services, waiting, () => saysCompleted(journey.title))
}

function noticesOf(services: Services, echoes: WaitingEcho[], because: (echo: WaitingEcho) => string): Notices {
  const now = services.now().getTime()
  return {
    writes: echoes.map((echo) => readying(services, echo, because(echo), now)),
    tell() {
      const [echo] = echoes
      if (echo) tellKeeperChanged(services, echo.owner_id, echo.keeper_id, 'echo')
    },
  }
}

export const saysCompleted = (title: string) => `The journey “${title}” is completed.`

async function conditional(
  services: Services,
  keeperId: string,
  waitsFor: (conditions: NonNullable<WaitingEcho['trigger_conditions']>) => boolean,
): Promise<WaitingEcho[]> {
  const rows = await waitingEchoes(services, keeperId).where('echoes.trigger_conditions', 'is not', null).execute()
  return rows.filter(({ trigger_conditions }) => trigger_conditions !== null && waitsFor(trigger_conditions))
}

/** Normalized names and aliases of topics, including merged ones. */
async function namesOf({ db }: Services, keeperId: string, spokenOf: LinkedTopic[]): Promise<Set<string>> {
  const topicIds = spokenOf.map(({ id }) => id)
  const [topics, aliases] = await Promise.all([
    db
      .selectFrom('topics')
      .select('name_folded as said')
      .where('keeper_id', '=', keeperId)
      .where((where) => where.or([where('id', 'in', topicIds), where('merged_into', 'in', topicIds)]))
      .execute(),
    db
      .selectFrom('topic_aliases')
      .select('alias_folded as said')
      .where('keeper_id', '=', keeperId)
      .where('topic_id', 'in', topicIds)
      .execute(),
  ])
  return new Set([...spokenOf.map(({ name }) => foldedTopic(name)), ...[...topics, ...aliases].map(({ said }) => said)])
}
