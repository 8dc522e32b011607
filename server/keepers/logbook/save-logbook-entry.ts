import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import type { LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { noticeTopics } from '../echoes/notice.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { type LogbookRow, logbookView } from './logbook-view.ts'

type NewEntry = z.output<typeof logbook.create.body & {}>
type ChangedEntry = z.output<typeof logbook.update.body & {}>

export async function createLogbookEntry(
  services: Services,
  person: Person,
  keeperId: string,
  given: NewEntry,
): Promise<LogbookEntry> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, given.keeperId)
  // Taken before the topics, which would otherwise change the id of a retry.
  const id = given.id ?? services.newId()
  await requireLinked(services, { keeper_id: keeper.id, owner_id: keeper.owner_id }, given)
  const tags = tidyTags(given.tags ?? [])
  const topics = await topicsMeant(services, keeper, tags)
  const now = services.now()
  const saidAt = Math.min(given.createdAt ? Date.parse(given.createdAt) : now.getTime(), now.getTime())
  const notices = await noticeTopics(services, keeper.id, topics)
  const row = await makeEntry(services, keeper, {
    entity: 'logbook',
    id,
    createdAt: saidAt,
    values: {
      agent_id: given.agentId || defaultAgentId,
      entry: given.entry,
      label: given.label,
      category: given.category,
      tags: json(tags),
      occurred_on: given.occurredOn ?? new Date(saidAt).toISOString().slice(0, 10),
      pinned: given.pinned ?? false,
      ai_visible: given.aiVisible ?? true,
      moment_id: given.momentId ?? null,
      journey_id: given.journeyId ?? null,
      source_kind: null,
      source_id: null,
    },
    along: () => [...topicLinks(services, keeper, { entity: 'logbook', id, saidAt }, topics), ...notices.writes],
  })
  notices.tell()
  return logbookView(row)
}

export async function updateLogbookEntry(
  services: Services,
  person: Person,
  id: string,
  given: ChangedEntry,
  ifMatch: number | null,
): Promise<LogbookEntry> {
  const present = await requireEntryFor(services, person, 'logbook', id)
  await requireLinked(services, present, given)
  const tags = given.tags && tidyTags(given.tags)
  const keeper = { id: present.keeper_id, owner_id: present.owner_id }
  const topics = tags && (await topicsMeant(services, keeper, tags))
  const before = topics && (await topicsOf(services, id))
  // Only added topics count as new mentions.
  const notices = await noticeTopics(services, keeper.id, topics?.filter((topic) => !before?.includes(topic.id)) ?? [])
  const row = await saveEntry(services, person, {
    entity: 'logbook',
    id,
    ifMatch,
    changes: () => changesOf(given, tags),
    along: (now) => [...(topics ? topicLinks(services, keeper, saidIn(now), topics) : []), ...notices.writes],
    view: (now) => ({ ...logbookView(now) }),
  })
  notices.tell()
  return logbookView(row)
}

/** Topics count as mentioned when the entry was written. */
export const saidIn = (row: Pick<LogbookRow, 'id' | 'created_at'>) => ({
  entity: 'logbook' as const,
  id: row.id,
  saidAt: row.created_at,
})

export function tidyTags(tags: string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

function changesOf(given: ChangedEntry, tags: string[] | undefined): EntryChanges<'logbook'> {
  const { entry, label, category, occurredOn, pinned, aiVisible, momentId, journeyId } = given
  return {
    ...(entry !== undefined && { entry }),
    ...(label !== undefined && { label }),
    ...(category !== undefined && { category }),
    ...(tags && { tags: json(tags) }),
    ...(occurredOn !== undefined && { occurred_on: occurredOn }),
    ...(pinned !== undefined && { pinned }),
    ...(aiVisible !== undefined && { ai_visible: aiVisible }),
    ...(momentId !== undefined && { moment_id: momentId }),
    ...(journeyId !== undefined && { journey_id: journeyId }),
  }
}

async function topicsOf({ db }: Services, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('entry_topics')
    .select('topic_id')
    .where('entity', '=', 'logbook')
    .where('entity_id', '=', id)
    .execute()
  return rows.map(({ topic_id }) => topic_id)
}

/** @throws Problem 400 for a moment or journey of another keeper */
async function requireLinked(
  { db }: Services,
  keeper: Pick<LogbookRow, 'keeper_id' | 'owner_id'>,
  { momentId, journeyId }: Pick<ChangedEntry, 'momentId' | 'journeyId'>,
): Promise<void> {
  const isHere = async (table: 'moments' | 'journeys', id: string) =>
    (await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .where('keeper_id', '=', keeper.keeper_id)
      .where('owner_id', '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()) !== undefined
  if (momentId && !(await isHere('moments', momentId))) throw badField('momentId', 'Choose a moment in this keeper.')
  if (journeyId && !(await isHere('journeys', journeyId)))
    throw badField('journeyId', 'Choose a journey in this keeper.')
}
