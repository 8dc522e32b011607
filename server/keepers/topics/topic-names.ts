import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findTopics } from './link-topics.ts'

export interface TopicNames {
  name: string
  aliases: string[]
}

export function toTopicNames(name: string, aliases: readonly string[], previousName?: string): TopicNames {
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
export async function requireAvailableNames(
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
export function createAliasWrites(
  { db }: Services,
  keeperId: string,
  topicId: string,
  aliases: readonly string[],
): Write[] {
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

export async function mapNameConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const message = 'Another topic just took this name. Choose another one.'
    throw new Problem('conflict', { message, fields: { name: message } })
  }
}
