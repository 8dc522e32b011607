import type { ArchivedKeeper, ArchivedMergedTopic, ArchivedTopic } from './archive-format.ts'
import { toArchivedTopic } from './archived-topic.ts'
import { createImportedId } from './imported-id.ts'

const maxRows = 500
/** The form takes 500, and merges add to them. */
export const maxAliases = 5000

export type PlacedMergedTopic = Omit<ArchivedMergedTopic, 'into'> & { position: number; targetId: string }

export interface TopicSlice {
  topics: ArchivedTopic[]
  mergedTopics: PlacedMergedTopic[]
}

export function sliceTopics(
  keeperId: string,
  { topics, mergedTopics }: Pick<ArchivedKeeper, 'topics' | 'mergedTopics'>,
): [TopicSlice, ...TopicSlice[]] {
  const slices: [TopicSlice, ...TopicSlice[]] = [{ topics: [], mergedTopics: [] }]
  let slice = slices[0]
  let rows = 0
  const sliceFor = (addedRows: number) => {
    if (rows + addedRows > maxRows) {
      slice = { topics: [], mergedTopics: [] }
      slices.push(slice)
      rows = 0
    }
    rows += addedRows
    return slice
  }
  for (const topic of topics)
    for (let start = 0; start === 0 || start < Math.min(topic.aliases.length, maxAliases); start += maxRows - 1) {
      const aliases = topic.aliases.slice(start, Math.min(start + maxRows - 1, maxAliases))
      sliceFor(1 + aliases.length).topics.push({ ...topic, aliases })
    }
  const topicNames = new Set(topics.map(({ name }) => toArchivedTopic(name).normalized))
  const ids = new Map<number, string>()
  for (const [position, { into, ...topic }] of mergedTopics.entries()) {
    const targetName = 'topic' in into ? toArchivedTopic(into.topic).normalized : ''
    const targetId =
      'merged' in into
        ? ids.get(into.merged)
        : targetName && topicNames.has(targetName) && createImportedId(keeperId, 'topic', targetName)
    if (!targetId || !toArchivedTopic(topic.name).normalized) continue
    ids.set(position, createImportedId(keeperId, 'merged-topic', String(position)))
    const aliases = topic.aliases.slice(0, maxAliases)
    sliceFor(2).mergedTopics.push({ ...topic, aliases, position, targetId })
  }
  return slices
}
