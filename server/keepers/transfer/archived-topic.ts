import { foldedTopic } from '#contract/keepers/topics.ts'
import { truncate } from '#contract/truncate.ts'

const maxLength = 80

/** The name of an archived topic at the length a form takes, and how it is compared: '' for one that is not imported. */
export function archivedTopic(name: string): { name: string; folded: string } {
  const fitting = name.length > maxLength ? truncate(name.trim(), maxLength) : name
  return { name: fitting, folded: foldedTopic(fitting) }
}
