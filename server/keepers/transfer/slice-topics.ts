import type { ArchivedKeeper, ArchivedMergedTopic, ArchivedTopic } from './archive-format.ts'
import { toArchivedTopic } from './archived-topic.ts'
import { createImportedId } from './imported-id.ts'

const maxRows = 500
/** The form allows 500, and merging topics can add more. */
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
  let rowCount = 0
  const getSliceFor = (addedRows: number) => {
    if (rowCount + addedRows > maxRows) {
      slice = { topics: [], mergedTopics: [] }
      slices.push(slice)
      rowCount = 0
    }
    rowCount += addedRows
    return slice
  }
  for (const topic of topics)
    for (let start = 0; start === 0 || start < Math.min(topic.aliases.length, maxAliases); start += maxRows - 1) {
      const aliases = topic.aliases.slice(start, Math.min(start + maxRows - 1, maxAliases))
      getSliceFor(1 + aliases.length).topics.push({ ...topic, aliases })
    }
  const topicNames = new Set(topics.map(({ name }) => toArchivedTopic(name).normalized))
  const idByPosition = new Map<number, string>()
  for (const [position, mergedTopic] of mergedTopics.entries()) {
    if (!mergedTopic) continue
    const { into, ...topic } = mergedTopic
    const targetName = 'topic' in into ? toArchivedTopic(into.topic).normalized : ''
    const targetId =
      'merged' in into
        ? idByPosition.get(into.merged)
        : targetName && topicNames.has(targetName) && createImportedId(keeperId, 'topic', targetName)
    if (!targetId || !toArchivedTopic(topic.name).normalized) continue
    idByPosition.set(position, createImportedId(keeperId, 'merged-topic', String(position)))
    const aliases = topic.aliases.slice(0, maxAliases)
    getSliceFor(2).mergedTopics.push({ ...topic, aliases, position, targetId })
  }
  return slices
}
