import type * as z from 'zod/mini'
import type { sources } from '#contract/keepers/sources.ts'
import { badField } from '#server/http/problem.ts'
import type { EntryChanges } from '../entries/save-entry.ts'
import type { SourceRow } from './source-view.ts'

type SourceInput = z.output<NonNullable<typeof sources.update.body>>

/** @throws Problem 400 for quoting a conversation or a document without text */
export function toSourceChanges(
  row: SourceRow,
  { title = row.title, agentsMayQuote = row.ai_visible }: SourceInput,
): EntryChanges<'source'> {
  if (agentsMayQuote && !row.ai_visible) {
    if (row.kind !== 'document') throw badField('agentsMayQuote', 'Agents can quote documents only.')
    if (row.message_count === 0)
      throw badField('agentsMayQuote', 'The text of this document can’t be read, so there is nothing to quote.')
  }
  return {
    ...(title !== row.title && { title }),
    ...(agentsMayQuote !== row.ai_visible && { ai_visible: agentsMayQuote }),
  }
}
