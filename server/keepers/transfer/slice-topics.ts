import type { ArchivedKeeper, ArchivedMergedTopic, ArchivedTopic } from './archive-format.ts'
import { archivedTopic } from './archived-topic.ts'
import { importedId } from './imported-id.ts'

/** Of one part, which is written at once. */
const maxRows = 500
/** Other names of one topic: the form takes 500, and merges add to them. */
export const maxAliases = 5000

/** One that is part of another, with its place in the archive and the id of the other here. */
export type PlacedMergedTopic = Omit<ArchivedMergedTopic, 'into'> & { position: number; targetId: string }

export interface TopicSlice {
  topics: ArchivedTopic[]
  mergedTopics: PlacedMergedTopic[]
}

/** The topics of a keeper in slices of a few hundred rows, at least one; a topic with many other names is in several. */
export function sliceTopics(
  keeperId: string,
  { topics, mergedTopics }: Pick<ArchivedKeeper, 'topics' | 'mergedTopics'>,
): [TopicSlice, ...TopicSlice[]] {
  const slices: [TopicSlice, ...TopicSlice[]] = [{ topics: [], mergedTopics: [] }]
  let slice = slices[0]
  let rows = 0
  const sliceFor = (added: number) => {
    if (rows + added > maxRows) {
      slice = { topics: [], mergedTopics: [] }
      slices.push(slice)
      rows = 0
    }
    rows += added
    return slice
  }
  for (const topic of topics)
    for (let start = 0; start === 0 || start < Math.min(topic.aliases.length, maxAliases); start += maxRows - 1) {
      const aliases = topic.aliases.slice(start, Math.min(start + maxRows - 1, maxAliases))
      sliceFor(1 + aliases.length).topics.push({ ...topic, aliases })
    }
  const standing = new Set(topics.map(({ name }) => archivedTopic(name).folded))
  const ids = new Map<number, string>()
  for (const [position, { into, ...topic }] of mergedTopics.entries()) {
    const targetName = 'topic' in into ? archivedTopic(into.topic).folded : ''
    const targetId =
      'merged' in into
        ? ids.get(into.merged)
        : targetName && standing.has(targetName) && importedId(keeperId, 'topic', targetName)
    if (!targetId || !archivedTopic(topic.name).folded) continue
    ids.set(position, importedId(keeperId, 'merged-topic', String(position)))
    const aliases = topic.aliases.slice(0, maxAliases)
    sliceFor(2).mergedTopics.push({ ...topic, aliases, position, targetId })
  }
  return slices
}
