import { foldedTopic } from '#contract/keepers/topics.ts'
import { truncate } from '#contract/truncate.ts'

const maxLength = 80

/** Name cut to the form's length, and its normalized form: '' for a topic that is not imported. */
export function archivedTopic(name: string): { name: string; folded: string } {
  const fitting = name.length > maxLength ? truncate(name.trim(), maxLength) : name
  return { name: fitting, folded: foldedTopic(fitting) }
}
