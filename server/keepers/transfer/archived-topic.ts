import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { truncate } from '#contract/truncate.ts'

const maxNameLength = 80

/** Name cut to the form's length, and its normalized form: '' for a topic that is not imported. */
export function toArchivedTopic(name: string): { name: string; normalized: string } {
  const shortened = name.length > maxNameLength ? truncate(name.trim(), maxNameLength) : name
  return { name: shortened, normalized: normalizeTopicName(shortened) }
}
