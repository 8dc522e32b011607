import { shippedSlugs } from '#contract/themes/theme-keys.ts'
import { truncate } from '#contract/truncate.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { typeOfKeeper } from '../type-of-keeper.ts'
import type { ArchivedTopic } from './archive-format.ts'
import { archivedTopic } from './archived-topic.ts'
import { type ImportPart, type Into, longestTitle } from './import-plan.ts'
import { importedId } from './imported-id.ts'
import type { PlacedMergedTopic } from './slice-topics.ts'

type KeeperPart = Extract<ImportPart, { kind: 'keeper' }>

/** Existing rows stay as they are; an unknown keeper type is noted. */
export async function keeperWrites(
  services: Services,
  { into, keeper: given }: KeeperPart,
  notes: string[],
): Promise<Write[]> {
  const { db } = services
  const { id: keeperId, owner_id: personId } = into
  const title = truncate(given.title, longestTitle) || 'Imported keeper'
  const word = given.keeperType.slice(0, 80) || 'custom'
  const type = await typeOfKeeper(services, { id: personId }, { keeperType: word })
  for (const part of tooLongParts(given))
    notes.push(`${title}: ${part} is too long, so its end is only in the archive.`)
  if (!type) notes.push(`${title}: there is no keeper type called “${word}” here. The name is kept, without a type.`)
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
      purpose: truncate(given.purpose, maxPurpose),
      keeper_type: word,
      keeper_type_id: type?.id ?? null,
      memory_pattern: given.memoryPattern.slice(0, 80) || 'SOLE',
      theme: (shippedSlugs as readonly string[]).includes(given.theme) ? given.theme : 'keeper-classic',
      is_public: false,
      ...made,
    })
    .onConflict((conflict) => conflict.doNothing())
  return [
    keeper,
    ...topicWrites(services, into, given.topics),
    ...mergedTopicWrites(services, into, given.mergedTopics),
  ]
}

const maxPurpose = 2000
const maxTopicNote = 5000

function tooLongParts({ title, purpose, topics, mergedTopics }: KeeperPart['keeper']): string[] {
  const notes = [...topics, ...mergedTopics].filter(({ note }) => note.length > maxTopicNote)
  const names = [...topics, ...mergedTopics].flatMap(({ name, aliases }) =>
    [name, ...aliases].filter((each) => each.trim() !== archivedTopic(each).name.trim()),
  )
  return [
    title.trim().length > longestTitle && 'its title',
    purpose.length > maxPurpose && 'its purpose',
    ...notes.map(({ name }) => `the note of the topic ${archivedTopic(name).name}`),
    ...names.map((each) => `the name of the topic ${archivedTopic(each).name}`),
  ].filter((part) => part !== false)
}

function topicRow({ id: keeperId, owner_id }: Into, id: string, topic: Omit<ArchivedTopic, 'aliases'>) {
  return {
    id,
    keeper_id: keeperId,
    owner_id,
    created_at: Date.parse(topic.createdAt),
    updated_at: Date.parse(topic.updatedAt),
    deleted_at: null,
    name: archivedTopic(topic.name).name,
    name_folded: archivedTopic(topic.name).folded,
    color: topic.color,
    note: truncate(topic.note, maxTopicNote),
    pinned: topic.pinned,
  }
}

function topicWrites({ db }: Services, into: Into, topics: ArchivedTopic[]): Write[] {
  const { id: keeperId } = into
  return topics.flatMap((topic): Write[] => {
    const { folded } = archivedTopic(topic.name)
    if (!folded) return []
    const id = importedId(keeperId, 'topic', folded)
    const aliases = topic.aliases.map(archivedTopic).filter(({ folded }) => folded !== '')
    return [
      db
        .insertInto('topics')
        .values({ ...topicRow(into, id, topic), merged_into: null })
        .onConflict((conflict) => conflict.doNothing()),
      ...aliases.map((alias) =>
        db
          .insertInto('topic_aliases')
          .values({ keeper_id: keeperId, alias: alias.name, alias_folded: alias.folded, topic_id: id })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ]
  })
}

/** Keeps the merge itself, so that it can be undone. Entries stay linked to the target. */
function mergedTopicWrites({ db }: Services, into: Into, mergedTopics: PlacedMergedTopic[]): Write[] {
  return mergedTopics.flatMap((topic): Write[] => {
    const { position, targetId } = topic
    const id = importedId(into.id, 'merged-topic', String(position))
    return [
      db
        .insertInto('topics')
        .values({ ...topicRow(into, id, topic), merged_into: targetId })
        .onConflict((conflict) => conflict.doNothing()),
      db
        .insertInto('topic_merges')
        .values({
          id: importedId(into.id, 'topic-merge', String(position)),
          keeper_id: into.id,
          topic_id: id,
          target_id: targetId,
          aliases: json(topic.aliases.map((alias) => archivedTopic(alias).folded)),
          merged_at: Date.parse(topic.mergedAt),
          undone_at: null,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ]
  })
}
