import { sql } from 'kysely'
import { pigments } from '#contract/keepers/journeys.ts'
import type { TopicalEntity } from '#contract/keepers/keeper-fields.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn, type KeeperRow } from '../keeper-access.ts'

export interface LinkedTopic {
  id: string
  name: string
  color: (typeof pigments)[number]
}

type Keeper = Pick<KeeperRow, 'id' | 'owner_id'>

interface NewTopic extends LinkedTopic {
  normalizedName: string
}

const isNew = (topic: LinkedTopic): topic is NewTopic => 'normalizedName' in topic

/** Unique topics by name or alias, ignoring case and empty names. A topic that doesn't exist yet gets its id here, and
 * `buildTopicLinkWrites` creates it. */
export async function resolveTopics(
  services: Services,
  keeper: Pick<Keeper, 'id'>,
  names: string[],
): Promise<LinkedTopic[]> {
  const resolved = await resolveTopicsByName(services, keeper, names)
  return [...new Map([...resolved.values()].map((topic) => [topic.id, topic])).values()]
}

export async function resolveTopicsByName(
  services: Services,
  keeper: Pick<Keeper, 'id'>,
  names: string[],
): Promise<Map<string, LinkedTopic>> {
  const nameByNormalized = new Map<string, string>()
  for (const name of names) {
    const normalized = normalizeTopicName(name)
    if (normalized && !nameByNormalized.has(normalized))
      nameByNormalized.set(normalized, name.trim().replace(/\s+/g, ' '))
  }
  const existing =
    nameByNormalized.size === 0 ? new Map() : await findTopics(services, keeper.id, [...nameByNormalized.keys()])
  const topics = new Map<string, LinkedTopic>()
  for (const [normalized, name] of nameByNormalized) {
    const newTopic: NewTopic = { id: services.newId(), name, color: getPigment(normalized), normalizedName: normalized }
    topics.set(normalized, existing.get(normalized) ?? newTopic)
  }
  return topics
}

export function buildTopicLinkWrites(
  services: Services,
  keeper: Keeper,
  entry: { entity: TopicalEntity; id: string; saidAt: number },
  topics: LinkedTopic[],
): Write[] {
  const { db } = services
  const { entity, id, saidAt } = entry
  const deletedTopics = db
    .selectFrom('topics')
    .select('topics.id')
    .where('topics.id', '=', sql.ref<string>('entry_topics.topic_id'))
    .where('topics.deleted_at', 'is not', null)
  const clearWrite = db
    .deleteFrom('entry_topics')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    // A moment stores its topics only as links, and its editor does not show deleted ones.
    .$if(entity === 'moment', (links) => links.where(({ not, exists }) => not(exists(deletedTopics))))
  if (topics.length === 0) return [clearWrite]
  const ids = topics.map((topic) => topic.id)
  const newTopics = topics.filter(isNew)
  const newNames = newTopics.map(({ normalizedName }) => normalizedName)
  const links = db
    .insertInto('entry_topics')
    .columns(['entity', 'entity_id', 'topic_id', 'keeper_id', 'said_at'])
    .expression(
      db
        .selectFrom('topics')
        .select([
          sql<TopicalEntity>`cast(${entity} as text)`.as('entity'),
          sql<string>`cast(${id} as text)`.as('entity_id'),
          // The topic may have been merged since it was found.
          (select) => select.fn.coalesce('topics.merged_into', 'topics.id').as('topic_id'),
          sql<string>`cast(${keeper.id} as text)`.as('keeper_id'),
          sql<number>`cast(${saidAt} as bigint)`.as('said_at'),
        ])
        .where((where) =>
          where.or([
            where('topics.id', 'in', ids),
            // A concurrent request may have created the topic; link that one.
            ...(newTopics.length === 0
              ? []
              : [
                  where.and([
                    where('topics.keeper_id', '=', keeper.id),
                    where('topics.deleted_at', 'is', null),
                    where('topics.merged_into', 'is', null),
                    where('topics.name_folded', 'in', newNames),
                  ]),
                ]),
          ]),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
  return [...newTopics.map((topic) => createTopicWrite(services, keeper, topic)), clearWrite, links]
}

/** The topics that the entry does not mention yet. */
export async function filterNewTopics(
  { db }: Services,
  entity: TopicalEntity,
  id: string,
  topics: LinkedTopic[],
): Promise<LinkedTopic[]> {
  const links = await db
    .selectFrom('entry_topics')
    .select('topic_id')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    .execute()
  return topics.filter((topic) => !links.some(({ topic_id }) => topic_id === topic.id))
}

function createTopicWrite(
  { db, now }: Services,
  keeper: Keeper,
  { id, name, normalizedName: normalized, color }: NewTopic,
): Write {
  const createdAt = now().getTime()
  return db
    .insertInto('topics')
    .values({
      id,
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      created_at: createdAt,
      updated_at: createdAt,
      deleted_at: null,
      name,
      name_folded: normalized,
      color,
      note: '',
      pinned: false,
      merged_into: null,
    })
    .onConflict((conflict) => conflict.doNothing())
}

export async function findTopics(
  { db }: Services,
  keeperId: string,
  normalizedNames: string[],
): Promise<Map<string, LinkedTopic>> {
  const activeTopics = db
    .selectFrom('topics')
    .where(isActiveIn(keeperId, 'topics'))
    .where('topics.merged_into', 'is', null)
  const [byName, byAlias] = await Promise.all([
    activeTopics
      .select(['id', 'name', 'color', 'name_folded as normalized_name'])
      .where('name_folded', 'in', normalizedNames)
      .execute(),
    activeTopics
      .innerJoin('topic_aliases', 'topic_aliases.topic_id', 'topics.id')
      .select(['topics.id', 'topics.name', 'topics.color', 'topic_aliases.alias_folded as normalized_name'])
      .where('topic_aliases.keeper_id', '=', keeperId)
      .where('topic_aliases.alias_folded', 'in', normalizedNames)
      .execute(),
  ])
  return new Map([...byAlias, ...byName].map(({ normalized_name, ...topic }) => [normalized_name, topic]))
}

export function getPigment(normalized: string): (typeof pigments)[number] {
  let hashValue = 0
  for (const character of normalized) hashValue = (hashValue * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return pigments[hashValue % pigments.length] ?? pigments[0]
}
