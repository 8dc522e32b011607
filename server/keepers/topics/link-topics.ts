import { sql } from 'kysely'
import { pigments } from '#contract/keepers/journeys.ts'
import type { TopicalEntity } from '#contract/keepers/keeper-words.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'

export interface LinkedTopic {
  id: string
  name: string
  color: (typeof pigments)[number]
}

type Keeper = Pick<KeeperRow, 'id' | 'owner_id'>

/** Created in the batch of the entry that mentions it. */
interface NewTopic extends LinkedTopic {
  folded: string
}

const isNew = (topic: LinkedTopic): topic is NewTopic => 'folded' in topic

/** Unique topics by name or alias, ignoring case. Missing ones have an id and are created by `createTopicLinks`. */
export async function topicsMeant(services: Services, keeper: Keeper, names: string[]): Promise<LinkedTopic[]> {
  const meant = await topicsByName(services, keeper, names)
  return [...new Map([...meant.values()].map((topic) => [topic.id, topic])).values()]
}

/** Topics by normalized name. */
export async function topicsByName(
  services: Services,
  keeper: Keeper,
  names: string[],
): Promise<Map<string, LinkedTopic>> {
  const wanted = new Map<string, string>()
  for (const name of names) {
    const folded = foldedTopic(name)
    if (folded && !wanted.has(folded)) wanted.set(folded, name.trim().replace(/\s+/g, ' '))
  }
  const known = wanted.size === 0 ? new Map() : await findTopics(services, keeper.id, [...wanted.keys()])
  const topics = new Map<string, LinkedTopic>()
  for (const [folded, name] of wanted) {
    const missing: NewTopic = { id: services.newId(), name, color: pigmentOf(folded), folded }
    topics.set(folded, known.get(folded) ?? missing)
  }
  return topics
}

/** Replaces the topics of an entry, creating missing ones. */
export function topicLinks(
  services: Services,
  keeper: Keeper,
  entry: { entity: TopicalEntity; id: string; saidAt: number },
  topics: LinkedTopic[],
): Write[] {
  const { db } = services
  const { entity, id, saidAt } = entry
  const binned = db
    .selectFrom('topics')
    .select('topics.id')
    .where('topics.id', '=', sql.ref<string>('entry_topics.topic_id'))
    .where('topics.deleted_at', 'is not', null)
  const clear = db
    .deleteFrom('entry_topics')
    .where('entity', '=', entity)
    .where('entity_id', '=', id)
    // A moment stores its topics only as links, and its editor does not show deleted ones.
    .$if(entity === 'moment', (links) => links.where(({ not, exists }) => not(exists(binned))))
  if (topics.length === 0) return [clear]
  const ids = topics.map((topic) => topic.id)
  const made = topics.filter(isNew)
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
            // Another request may have created the topic; that one is linked.
            ...(made.length === 0
              ? []
              : [
                  where.and([
                    where('topics.keeper_id', '=', keeper.id),
                    where('topics.deleted_at', 'is', null),
                    where('topics.merged_into', 'is', null),
                    where(
                      'topics.name_folded',
                      'in',
                      made.map(({ folded }) => folded),
                    ),
                  ]),
                ]),
          ]),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
  return [...made.map((topic) => makingTopic(services, keeper, topic)), clear, links]
}

function makingTopic({ db, now }: Services, keeper: Keeper, { id, name, folded, color }: NewTopic): Write {
  const at = now().getTime()
  return db
    .insertInto('topics')
    .values({
      id,
      keeper_id: keeper.id,
      owner_id: keeper.owner_id,
      created_at: at,
      updated_at: at,
      deleted_at: null,
      name,
      name_folded: folded,
      color,
      note: '',
      pinned: false,
      merged_into: null,
    })
    .onConflict((conflict) => conflict.doNothing())
}

/** Undeleted, unmerged topics by normalized name or alias. */
export async function findTopics(
  { db }: Services,
  keeperId: string,
  folded: string[],
): Promise<Map<string, LinkedTopic>> {
  const living = db
    .selectFrom('topics')
    .where('topics.keeper_id', '=', keeperId)
    .where('topics.deleted_at', 'is', null)
    .where('topics.merged_into', 'is', null)
  const [byName, byAlias] = await Promise.all([
    living.select(['id', 'name', 'color', 'name_folded as said']).where('name_folded', 'in', folded).execute(),
    living
      .innerJoin('topic_aliases', 'topic_aliases.topic_id', 'topics.id')
      .select(['topics.id', 'topics.name', 'topics.color', 'topic_aliases.alias_folded as said'])
      .where('topic_aliases.keeper_id', '=', keeperId)
      .where('topic_aliases.alias_folded', 'in', folded)
      .execute(),
  ])
  // A name takes precedence over an alias.
  return new Map([...byAlias, ...byName].map(({ said, ...topic }) => [said, topic]))
}

/** The default color of a name. */
export function pigmentOf(folded: string): (typeof pigments)[number] {
  let sum = 0
  for (const character of folded) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return pigments[sum % pigments.length] ?? pigments[0]
}
