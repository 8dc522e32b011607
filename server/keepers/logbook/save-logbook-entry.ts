import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { checkTopicTriggers } from '../echoes/check-entry-triggers.ts'
import { createEntry } from '../entries/create-entry.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { buildTopicLinkWrites, resolveTopics } from '../topics/link-topics.ts'
import { type LogbookRow, toLogbookEntry } from './list-logbook.ts'

type NewEntry = z.output<typeof logbook.create.body & {}>
type ChangedEntry = z.output<typeof logbook.update.body & {}>

export async function createLogbookEntry(
  services: Services,
  person: Person,
  keeperId: string,
  input: NewEntry,
): Promise<LogbookEntry> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, input.keeperId)
  // Taken before the topics, which would otherwise change the id of a retry.
  const id = input.id ?? services.newId()
  await requireValidLinks(services, { keeper_id: keeper.id, owner_id: keeper.owner_id }, input)
  const tags = normalizeTags(input.tags ?? [])
  const topics = await resolveTopics(services, keeper, tags)
  const now = services.now()
  const writtenAt = Math.min(input.createdAt ? Date.parse(input.createdAt) : now.getTime(), now.getTime())
  const notices = await checkTopicTriggers(services, keeper.id, topics)
  const row = await createEntry(services, keeper, {
    entity: 'logbook',
    id,
    createdAt: writtenAt,
    values: {
      agent_id: input.agentId || defaultAgentId,
      entry: input.entry,
      label: input.label,
      category: input.category,
      tags: json(tags),
      occurred_on: input.occurredOn ?? new Date(writtenAt).toISOString().slice(0, 10),
      pinned: input.pinned ?? false,
      ai_visible: input.aiVisible ?? true,
      moment_id: input.momentId ?? null,
      journey_id: input.journeyId ?? null,
      source_kind: null,
      source_id: null,
    },
    extraWrites: () => [
      ...buildTopicLinkWrites(services, keeper, { entity: 'logbook', id, saidAt: writtenAt }, topics),
      ...notices.writes,
    ],
  })
  notices.notify()
  return toLogbookEntry(row)
}

export async function updateLogbookEntry(
  services: Services,
  person: Person,
  id: string,
  input: ChangedEntry,
  ifMatch: number | null,
): Promise<LogbookEntry> {
  const existing = await requireEntryFor(services, person, 'logbook', id)
  await requireValidLinks(services, existing, input)
  const tags = input.tags && normalizeTags(input.tags)
  const keeper = { id: existing.keeper_id, owner_id: existing.owner_id }
  const topics = tags && (await resolveTopics(services, keeper, tags))
  const previousTopicIds = topics && (await loadTopicIds(services, id))
  const notices = await checkTopicTriggers(
    services,
    keeper.id,
    topics?.filter((topic) => !previousTopicIds?.includes(topic.id)) ?? [],
  )
  const row = await saveEntry(services, person, {
    entity: 'logbook',
    id,
    ifMatch,
    changes: () => toChanges(input, tags),
    extraWrites: (current) => [
      ...(topics ? buildTopicLinkWrites(services, keeper, toEntryRef(current), topics) : []),
      ...notices.writes,
    ],
    view: (current) => ({ ...toLogbookEntry(current) }),
  })
  notices.notify()
  return toLogbookEntry(row)
}

export const toEntryRef = (row: Pick<LogbookRow, 'id' | 'created_at'>) => ({
  entity: 'logbook' as const,
  id: row.id,
  saidAt: row.created_at,
})

export function normalizeTags(tags: string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

function toChanges(input: ChangedEntry, tags: string[] | undefined): EntryChanges<'logbook'> {
  const { entry, label, category, occurredOn, pinned, aiVisible, momentId, journeyId } = input
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

async function loadTopicIds({ db }: Services, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('entry_topics')
    .select('topic_id')
    .where('entity', '=', 'logbook')
    .where('entity_id', '=', id)
    .execute()
  return rows.map(({ topic_id }) => topic_id)
}

/** @throws Problem 400 for a moment or journey of another keeper */
async function requireValidLinks(
  { db }: Services,
  keeper: Pick<LogbookRow, 'keeper_id' | 'owner_id'>,
  { momentId, journeyId }: Pick<ChangedEntry, 'momentId' | 'journeyId'>,
): Promise<void> {
  const existsInKeeper = async (table: 'moments' | 'journeys', id: string) =>
    (await db
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .where('keeper_id', '=', keeper.keeper_id)
      .where('owner_id', '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()) !== undefined
  if (momentId && !(await existsInKeeper('moments', momentId)))
    throw badField('momentId', 'Choose a moment in this keeper.')
  if (journeyId && !(await existsInKeeper('journeys', journeyId)))
    throw badField('journeyId', 'Choose a journey in this keeper.')
}
