import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import type { LogbookEntry, logbook } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { requireEntryInKeeper } from '../entries/require-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { type KeeperRow, requireMatchingKeeper, toKeeperRef } from '../keeper-access.ts'
import { filterNewTopics, resolveTopics } from '../topics/link-topics.ts'
import { toLogbookEntry } from './list-logbook.ts'

type NewEntry = z.output<typeof logbook.create.body & {}>
type ChangedEntry = z.output<typeof logbook.update.body & {}>

export async function createLogbookEntry(
  services: Services,
  person: Person,
  keeperId: string,
  input: NewEntry,
): Promise<LogbookEntry> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, input.keeperId)
  await requireValidLinks(services, keeper, input)
  const tags = normalizeTags(input.tags ?? [])
  const now = services.now().getTime()
  const writtenAt = input.createdAt ? Math.min(Date.parse(input.createdAt), now) : now
  const row = await createEntry(services, keeper, {
    entity: 'logbook',
    id: input.id,
    createdAt: input.createdAt,
    values: {
      ...noSource,
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
    },
    sideEffects: async (entry) =>
      buildTopicEffects(services, 'logbook', entry, { topics: await resolveTopics(services, keeper, tags) }),
  })
  return toLogbookEntry(row)
}

export async function updateLogbookEntry(
  services: Services,
  person: Person,
  id: string,
  input: ChangedEntry,
  ifMatch: number | null,
): Promise<LogbookEntry> {
  const { entry, label, category, occurredOn, pinned, aiVisible, momentId, journeyId } = input
  const tags = input.tags && normalizeTags(input.tags)
  const row = await saveEntry(services, person, {
    entity: 'logbook',
    id,
    ifMatch,
    async getChanges(current) {
      await requireValidLinks(services, toKeeperRef(current), input)
      return {
        entry,
        label,
        category,
        tags: tags && json(tags),
        occurred_on: occurredOn,
        pinned,
        ai_visible: aiVisible,
        moment_id: momentId,
        journey_id: journeyId,
      }
    },
    async sideEffects(current) {
      if (!tags) return noSideEffects
      const topics = await resolveTopics(services, { id: current.keeper_id }, tags)
      const newTopics = await filterNewTopics(services, 'logbook', id, topics)
      return buildTopicEffects(services, 'logbook', current, { topics, newTopics })
    },
    toView: (current) => ({ ...toLogbookEntry(current) }),
  })
  return toLogbookEntry(row)
}

export function normalizeTags(tags: string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

/** @throws Problem 400 for a moment or journey of another keeper */
async function requireValidLinks(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  { momentId, journeyId }: Pick<ChangedEntry, 'momentId' | 'journeyId'>,
): Promise<void> {
  await requireEntryInKeeper(services, keeper, 'moment', momentId, 'momentId')
  await requireEntryInKeeper(services, keeper, 'journey', journeyId, 'journeyId')
}
