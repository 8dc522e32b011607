import { foldedTopic } from '#contract/keepers/topics.ts'
import { shippedSlugs } from '#contract/themes/theme-keys.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { typeOfKeeper } from '../type-of-keeper.ts'
import type { ArchivedTopic } from './archive-format.ts'
import { type ImportPart, type Into, longestTitle } from './import-plan.ts'
import { importedId } from './imported-id.ts'

type KeeperPart = Extract<ImportPart, { kind: 'keeper' }>

/** A keeper and its topics. What is there already stays as it is; that its type is not here is said. */
export async function keeperWrites(
  services: Services,
  { into, keeper: given }: KeeperPart,
  notes: string[],
): Promise<Write[]> {
  const { db } = services
  const { id: keeperId, owner_id: personId } = into
  const title = given.title.slice(0, longestTitle) || 'Imported keeper'
  const word = given.keeperType.slice(0, 80) || 'custom'
  const type = await typeOfKeeper(services, { id: personId }, { keeperType: word })
  if (!type) notes.push(`${title}: no keeper type here is called “${word}”. It keeps the word, and has no type.`)
  const made = {
    created_at: Date.parse(given.createdAt),
    updated_at: Date.parse(given.updatedAt),
    deleted_at: null,
  }
  const keeper = db
    .insertInto('keepers')
    .values({
      id: keeperId,
      owner_id: personId,
      title,
      purpose: given.purpose.slice(0, 2000),
      keeper_type: word,
      keeper_type_id: type?.id ?? null,
      memory_pattern: given.memoryPattern.slice(0, 80) || 'SOLE',
      theme: (shippedSlugs as readonly string[]).includes(given.theme) ? given.theme : 'keeper-classic',
      is_public: false,
      ...made,
    })
    .onConflict((conflict) => conflict.doNothing())
  return [keeper, ...topicWrites(services, into, given.topics), ...mergedTopicWrites(services, into, given)]
}

function topicRow({ id: keeperId, owner_id }: Into, id: string, topic: ArchivedTopic) {
  return {
    id,
    keeper_id: keeperId,
    owner_id,
    created_at: Date.parse(topic.createdAt),
    updated_at: Date.parse(topic.updatedAt),
    deleted_at: null,
    name: topic.name.slice(0, 80),
    name_folded: foldedTopic(topic.name),
    color: topic.color,
    note: topic.note.slice(0, 5000),
    pinned: topic.pinned,
  }
}

function topicWrites({ db }: Services, into: Into, topics: ArchivedTopic[]): Write[] {
  const { id: keeperId } = into
  return topics.flatMap((topic): Write[] => {
    const folded = foldedTopic(topic.name)
    if (!folded) return []
    const id = importedId(keeperId, 'topic', folded)
    const aliases = topic.aliases.filter((alias) => foldedTopic(alias) !== '')
    return [
      db
        .insertInto('topics')
        .values({ ...topicRow(into, id, topic), merged_into: null })
        .onConflict((conflict) => conflict.doNothing()),
      ...aliases.map((alias) =>
        db
          .insertInto('topic_aliases')
          .values({ keeper_id: keeperId, alias: alias.slice(0, 80), alias_folded: foldedTopic(alias), topic_id: id })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ]
  })
}

/** With their words and how they were merged, so that it can be undone; what spoke of one goes on to speak of its target. */
function mergedTopicWrites({ db }: Services, into: Into, { topics, mergedTopics }: KeeperPart['keeper']): Write[] {
  const standing = new Map(
    topics.flatMap(({ name }) => {
      const folded = foldedTopic(name)
      return folded ? [[folded, importedId(into.id, 'topic', folded)] as const] : []
    }),
  )
  /** Of those that are in, by their place. */
  const ids = new Map<number, string>()
  return mergedTopics.flatMap((topic, position): Write[] => {
    const target = 'topic' in topic.into ? standing.get(foldedTopic(topic.into.topic)) : ids.get(topic.into.merged)
    if (!target || !foldedTopic(topic.name)) return []
    const id = importedId(into.id, 'merged-topic', String(position))
    ids.set(position, id)
    return [
      db
        .insertInto('topics')
        .values({ ...topicRow(into, id, topic), merged_into: target })
        .onConflict((conflict) => conflict.doNothing()),
      db
        .insertInto('topic_merges')
        .values({
          id: importedId(into.id, 'topic-merge', String(position)),
          keeper_id: into.id,
          topic_id: id,
          target_id: target,
          aliases: json(topic.aliases.map(foldedTopic)),
          merged_at: Date.parse(topic.mergedAt),
          undone_at: null,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ]
  })
}
