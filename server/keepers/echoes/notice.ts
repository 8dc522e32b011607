import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Services } from '#server/services.ts'
import { makeReady, type WaitingEcho, waitingEchoes } from './make-ready.ts'

/** Something was said of these topics: echoes that wait for one of them become ready. To be called after it was written. */
export async function noticeTopics(services: Services, keeperId: string, topicIds: string[]): Promise<void> {
  if (topicIds.length === 0) return
  const waiting = await conditional(services, keeperId, ({ topic }) => Boolean(topic))
  if (waiting.length === 0) return
  const said = await namesOf(services, keeperId, topicIds)
  for (const echo of waiting) {
    const topic = echo.trigger_conditions?.topic ?? ''
    if (said.has(foldedTopic(topic))) await ready(services, echo, `“${topic}” was said again.`)
  }
}

/** A journey was completed: echoes that wait for it become ready. To be called after it was written. */
export async function noticeJourneyCompleted(services: Services, keeperId: string, journeyId: string): Promise<void> {
  const waiting = await conditional(services, keeperId, (conditions) => conditions.journeyId === journeyId)
  for (const echo of waiting) await ready(services, echo, await journeyCompleted(services, journeyId))
}

/** In words, why an echo that waited for it is ready. */
export async function journeyCompleted({ db }: Services, journeyId: string): Promise<string> {
  const journey = await db.selectFrom('journeys').select('title').where('id', '=', journeyId).executeTakeFirst()
  return journey ? `The journey “${journey.title}” is completed.` : 'Its journey is completed.'
}

async function conditional(
  services: Services,
  keeperId: string,
  waitsFor: (conditions: NonNullable<WaitingEcho['trigger_conditions']>) => boolean,
): Promise<WaitingEcho[]> {
  const rows = await waitingEchoes(services, keeperId).where('echoes.trigger_conditions', 'is not', null).execute()
  return rows.filter(({ trigger_conditions }) => trigger_conditions !== null && waitsFor(trigger_conditions))
}

const ready = (services: Services, echo: WaitingEcho, because: string) =>
  makeReady(services, echo, because, services.now().getTime())

/** Everything these topics are called, folded: their names, their aliases, and the names of what was merged into them. */
async function namesOf({ db }: Services, keeperId: string, topicIds: string[]): Promise<Set<string>> {
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
  return new Set([...topics, ...aliases].map(({ said }) => said))
}
