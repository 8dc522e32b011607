import { shippedThemeSlugs } from '#contract/themes/theme-keys.ts'
import { truncate } from '#contract/truncate.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { resolveKeeperType } from '../save-keeper.ts'
import {
  type ArchivedKeeper,
  type ArchivedMergedTopic,
  type ArchivedTopic,
  createImportedId,
  toArchivedTopic,
} from './archive-format.ts'
import { type ImportPart, type ImportTarget, maxTitleLength, untitledKeeper } from './import-plan.ts'
import type { PartContext } from './unpack-media.ts'

const maxRows = 500
/** The form allows 500, and merging topics can add more. */
export const maxAliases = 5000

type ResolvedMergedTopic = Omit<ArchivedMergedTopic, 'into'> & { position: number; targetId: string }

export interface TopicSlice {
  topics: ArchivedTopic[]
  mergedTopics: ResolvedMergedTopic[]
}

export function sliceTopics(
  keeperId: string,
  { topics, mergedTopics }: Pick<ArchivedKeeper, 'topics' | 'mergedTopics'>,
): [TopicSlice, ...TopicSlice[]] {
  const slices: [TopicSlice, ...TopicSlice[]] = [{ topics: [], mergedTopics: [] }]
  let slice = slices[0]
  let rowCount = 0
  const getSliceWithSpace = (neededRows: number) => {
    if (rowCount + neededRows > maxRows) {
      slice = { topics: [], mergedTopics: [] }
      slices.push(slice)
      rowCount = 0
    }
    rowCount += neededRows
    return slice
  }
  const aliasesPerRow = maxRows - 1
  for (const topic of topics) {
    const allAliases = topic.aliases.slice(0, maxAliases)
    // At least once, for a topic without aliases.
    for (let start = 0; start === 0 || start < allAliases.length; start += aliasesPerRow) {
      const aliases = allAliases.slice(start, start + aliasesPerRow)
      getSliceWithSpace(1 + aliases.length).topics.push({ ...topic, aliases })
    }
  }
  const topicNames = new Set(topics.map(({ name }) => toArchivedTopic(name).normalized))
  const idByPosition = new Map<number, string>()
  for (const [position, mergedTopic] of mergedTopics.entries()) {
    if (!mergedTopic) continue
    const { into, ...topic } = mergedTopic
    const findTopicId = (name: string) =>
      name !== '' && topicNames.has(name) ? createImportedId(keeperId, 'topic', name) : undefined
    const targetId =
      'merged' in into ? idByPosition.get(into.merged) : findTopicId(toArchivedTopic(into.topic).normalized)
    if (!targetId || !toArchivedTopic(topic.name).normalized) continue
    idByPosition.set(position, createImportedId(keeperId, 'merged-topic', String(position)))
    const aliases = topic.aliases.slice(0, maxAliases)
    getSliceWithSpace(2).mergedTopics.push({ ...topic, aliases, position, targetId })
  }
  return slices
}

type KeeperPart = Extract<ImportPart, { kind: 'keeper' }>

export async function createKeeperWrites(
  services: Services,
  { jobId, sentences }: PartContext,
  { target, keeper: fields }: KeeperPart,
): Promise<Write[]> {
  const { db } = services
  const { id: keeperId, owner_id: personId } = target
  const title = truncate(fields.title, maxTitleLength) || untitledKeeper
  const typeSlug = fields.keeperType.slice(0, 80) || 'custom'
  const type = await resolveKeeperType(services, { id: personId }, { keeperType: typeSlug })
  for (const part of listTruncated(fields))
    sentences.push(`${title}: ${part} is too long, so its end is only in the archive.`)
  if (!type)
    sentences.push(`${title}: there is no keeper type called “${typeSlug}” here. The name is kept, without a type.`)
  const keeper = db
    .insertInto('keepers')
    .values({
      id: keeperId,
      owner_id: personId,
      title,
      purpose: truncate(fields.purpose, maxPurposeLength),
      keeper_type: typeSlug,
      keeper_type_id: type?.id ?? null,
      memory_pattern: fields.memoryPattern.slice(0, 80) || 'SOLE',
      theme: (shippedThemeSlugs as readonly string[]).includes(fields.theme) ? fields.theme : 'keeper-classic',
      is_public: false,
      import_id: jobId,
      created_at: Date.parse(fields.createdAt),
      updated_at: Date.parse(fields.updatedAt),
    })
    .onConflict((conflict) => conflict.doNothing())
  return [
    keeper,
    ...createTopicWrites(services, target, fields.topics),
    ...createMergedTopicWrites(services, target, fields.mergedTopics),
  ]
}

const maxPurposeLength = 2000
const maxTopicNoteLength = 5000

function listTruncated({ title, purpose, topics, mergedTopics }: KeeperPart['keeper']): string[] {
  const topicsWithLongNote = [...topics, ...mergedTopics].filter(({ note }) => note.length > maxTopicNoteLength)
  const longNames = [...topics, ...mergedTopics].flatMap(({ name, aliases }) =>
    [name, ...aliases].filter((topicName) => topicName.trim() !== toArchivedTopic(topicName).name.trim()),
  )
  return [
    title.trim().length > maxTitleLength && 'its title',
    purpose.length > maxPurposeLength && 'its purpose',
    ...topicsWithLongNote.map(({ name }) => `the note of the topic ${toArchivedTopic(name).name}`),
    ...longNames.map((topicName) => `the name of the topic ${toArchivedTopic(topicName).name}`),
  ].filter((part) => part !== false)
}

function toTopicRow({ id: keeperId, owner_id }: ImportTarget, id: string, topic: Omit<ArchivedTopic, 'aliases'>) {
  return {
    id,
    keeper_id: keeperId,
    owner_id,
    created_at: Date.parse(topic.createdAt),
    updated_at: Date.parse(topic.updatedAt),
    name: toArchivedTopic(topic.name).name,
    name_folded: toArchivedTopic(topic.name).normalized,
    color: topic.color,
    note: truncate(topic.note, maxTopicNoteLength),
    pinned: topic.pinned,
  }
}

function createTopicWrites({ db }: Services, target: ImportTarget, topics: ArchivedTopic[]): Write[] {
  const { id: keeperId } = target
  return topics.flatMap((topic): Write[] => {
    const { normalized } = toArchivedTopic(topic.name)
    if (!normalized) return []
    const id = createImportedId(keeperId, 'topic', normalized)
    const aliases = topic.aliases.map(toArchivedTopic).filter((alias) => alias.normalized !== '')
    return [
      db
        .insertInto('topics')
        .values(toTopicRow(target, id, topic))
        .onConflict((conflict) => conflict.doNothing()),
      ...aliases.map((alias) =>
        db
          .insertInto('topic_aliases')
          .values({ keeper_id: keeperId, alias: alias.name, alias_folded: alias.normalized, topic_id: id })
          .onConflict((conflict) => conflict.doNothing()),
      ),
    ]
  })
}

function createMergedTopicWrites({ db }: Services, target: ImportTarget, mergedTopics: ResolvedMergedTopic[]): Write[] {
  return mergedTopics.flatMap((topic): Write[] => {
    const { position, targetId } = topic
    const id = createImportedId(target.id, 'merged-topic', String(position))
    return [
      db
        .insertInto('topics')
        .values({ ...toTopicRow(target, id, topic), merged_into: targetId })
        .onConflict((conflict) => conflict.doNothing()),
      db
        .insertInto('topic_merges')
        .values({
          id: createImportedId(target.id, 'topic-merge', String(position)),
          keeper_id: target.id,
          topic_id: id,
          target_id: targetId,
          aliases: json(topic.aliases.map((alias) => toArchivedTopic(alias).normalized)),
          merged_at: Date.parse(topic.mergedAt),
        })
        .onConflict((conflict) => conflict.doNothing()),
    ]
  })
}
