import type * as z from 'zod/mini'
import { normalizeTopicName, type Topic, type topics } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import { replaceError, UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { createEntry } from '../entries/create-entry.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { requireMatchingKeeper } from '../keeper-access.ts'
import { findTopics, getPigment } from './link-topics.ts'
import { requireTopicFor, requireUnmerged, type TopicRow, toTopicFields, toTopicView } from './topic-view.ts'

type NewTopic = z.output<NonNullable<typeof topics.create.body>>
type TopicChanges = z.output<NonNullable<typeof topics.update.body>>

/** @throws Problem 404; 409 for a name in use */
export async function createTopic(
  services: Services,
  person: Person,
  keeperId: string,
  body: NewTopic,
): Promise<Topic> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, body.keeperId)
  const names = toTopicNames(body.name, body.aliases ?? [])
  const isRetry = body.id !== undefined && (await findEntryFor(services, person, 'topic', body.id)) !== undefined
  if (!isRetry) await requireAvailableNames(services, keeper.id, names)
  const row = await createEntry(services, keeper, {
    entity: 'topic',
    id: body.id,
    values: {
      name: names.name,
      name_folded: normalizeTopicName(names.name),
      color: body.color ?? getPigment(normalizeTopicName(names.name)),
      note: body.note ?? '',
      pinned: body.pinned ?? false,
      merged_into: null,
    },
    extraWrites: (id) => (names.aliases.length > 0 ? createAliasWrites(services, keeper.id, id, names.aliases) : []),
  })
    .catch(async (error: unknown) => {
      // The id was free, so a concurrent request took the name.
      if (!isRetry && error instanceof Problem) await requireAvailableNames(services, keeper.id, names)
      throw error
    })
    .catch(refuseTakenName)
  return toTopicView(services, row)
}

/** The old name becomes an alias. @throws Problem 404; 409 for a name in use, or `stale` */
export async function updateTopic(
  services: Services,
  person: Person,
  id: string,
  body: TopicChanges,
  ifMatch: number | null,
): Promise<Topic> {
  let loadedRow: TopicRow | undefined
  let previousAliases: string[] = []
  let updatedAliases: string[] = []
  const row = await saveEntry(services, person, {
    entity: 'topic',
    id,
    ifMatch,
    async getChanges(topicRow) {
      loadedRow = requireUnmerged(topicRow)
      previousAliases = await loadAliases(services, topicRow.id)
      const names = toTopicNames(body.name ?? topicRow.name, body.aliases ?? previousAliases, topicRow.name)
      updatedAliases = names.aliases
      if (ifMatch === null || ifMatch === topicRow.rev)
        await requireAvailableNames(services, topicRow.keeper_id, names, {
          id: topicRow.id,
          names: [topicRow.name, ...previousAliases],
        })
      return {
        ...(names.name !== topicRow.name && { name: names.name, name_folded: normalizeTopicName(names.name) }),
        color: body.color,
        note: body.note,
        pinned: body.pinned,
      }
    },
    extraWrites: (topicRow) =>
      previousAliases.toSorted().join('\n') === updatedAliases.toSorted().join('\n')
        ? []
        : createAliasWrites(services, topicRow.keeper_id, topicRow.id, updatedAliases),
    // Only the loaded row has the previous aliases.
    toView: (viewedRow) => toTopicFields(viewedRow, viewedRow === loadedRow ? previousAliases : updatedAliases),
  }).catch(refuseTakenName)
  return toTopicView(services, row)
}

interface TopicNames {
  name: string
  aliases: string[]
}

function toTopicNames(name: string, aliases: readonly string[], previousName?: string): TopicNames {
  const normalizeSpaces = (text: string) => text.trim().replace(/\s+/g, ' ')
  const aliasByNormalized = new Map<string, string>()
  for (const alias of previousName === undefined ? aliases : [...aliases, previousName]) {
    const normalized = normalizeTopicName(alias)
    if (normalized !== normalizeTopicName(name) && !aliasByNormalized.has(normalized))
      aliasByNormalized.set(normalized, normalizeSpaces(alias))
  }
  return { name: normalizeSpaces(name), aliases: [...aliasByNormalized.values()] }
}

/** Skips names in `current`: another topic may have taken them while this one was deleted.
 * @throws Problem 409 that names the field and the other topic */
async function requireAvailableNames(
  services: Services,
  keeperId: string,
  { name, aliases }: TopicNames,
  current?: { id: string; names: readonly string[] },
): Promise<void> {
  const currentNames = new Set(current?.names.map(normalizeTopicName))
  const requestedNames = [name, ...aliases].filter(
    (requestedName) => !currentNames.has(normalizeTopicName(requestedName)),
  )
  if (requestedNames.length === 0) return
  const takenTopics = await findTopics(services, keeperId, requestedNames.map(normalizeTopicName))
  for (const requestedName of requestedNames) {
    const otherTopic = takenTopics.get(normalizeTopicName(requestedName))
    if (!otherTopic || otherTopic.id === current?.id) continue
    const remedy = current ? 'Choose another name, or merge the two topics.' : 'Choose another name.'
    const message =
      normalizeTopicName(otherTopic.name) === normalizeTopicName(requestedName)
        ? `There is already a topic “${otherTopic.name}”. ${remedy}`
        : `“${requestedName}” already belongs to the topic “${otherTopic.name}”. ${remedy}`
    throw new Problem('conflict', { message, fields: { [requestedName === name ? 'name' : 'aliases']: message } })
  }
}

export async function loadAliases({ db }: Services, topicId: string): Promise<string[]> {
  const rows = await db.selectFrom('topic_aliases').select('alias').where('topic_id', '=', topicId).execute()
  return rows.map(({ alias }) => alias)
}

/** Replaces the aliases of a topic, taking them from deleted topics. */
function createAliasWrites({ db }: Services, keeperId: string, topicId: string, aliases: readonly string[]): Write[] {
  const deleteCurrentAliases = db
    .deleteFrom('topic_aliases')
    .where('keeper_id', '=', keeperId)
    .where('topic_id', '=', topicId)
  if (aliases.length === 0) return [deleteCurrentAliases]
  const deletedTopicIds = db
    .selectFrom('topics')
    .select('id')
    .where('keeper_id', '=', keeperId)
    .where('deleted_at', 'is not', null)
  return [
    deleteCurrentAliases,
    db
      .deleteFrom('topic_aliases')
      .where('keeper_id', '=', keeperId)
      .where('alias_folded', 'in', aliases.map(normalizeTopicName))
      .where('topic_id', 'in', deletedTopicIds),
    db.insertInto('topic_aliases').values(
      aliases.map((alias) => ({
        keeper_id: keeperId,
        topic_id: topicId,
        alias,
        alias_folded: normalizeTopicName(alias),
      })),
    ),
  ]
}

const refuseTakenName = replaceError(UniqueViolation, () => {
  const message = 'Another topic just took this name. Choose another one.'
  return new Problem('conflict', { message, fields: { name: message } })
})

export async function removeTopic(services: Services, person: Person, id: string): Promise<void> {
  await requireTopicFor(services, person, id)
  await trashEntry(services, person, 'topic', id)
}
