import { selectMessages } from '#contract/keepers/source-tree.ts'
import type { Source, SourceSummary } from '#contract/keepers/sources.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { parseJsonColumn } from '../entries/json-column.ts'
import { createPlainExcerpt, excerptSourceLength } from '../excerpt.ts'

export type SourceRow = EntryRow<'source'>
type SummaryRow = Omit<SourceRow, 'messages' | 'current_message_id' | 'import_id' | 'changed_at'>

/** @param row its `text` can be cut to `excerptSourceLength` */
export function toSourceSummary(row: SummaryRow): SourceSummary {
  return { ...toDetails(row), excerpt: createPlainExcerpt(row.text.slice(0, excerptSourceLength)) }
}

export async function showSource(services: Services, row: SourceRow): Promise<Source> {
  const file = await services.db
    .selectFrom('media')
    .select(['id', 'name', 'mime', 'bytes'])
    .where('entity', '=', 'source')
    .where('entity_id', '=', row.id)
    .where('person_id', '=', row.owner_id)
    .executeTakeFirst()
  return { ...toSource(row), file: file ?? null }
}

function toSource(row: SourceRow): Omit<Source, 'file'> {
  const { selected, findNearest } = selectMessages(parseJsonColumn(row.messages), ({ hidden }) => !hidden)
  return {
    ...toDetails(row),
    messages: selected.map(({ hidden: _, ...message }) => message),
    currentMessageId: findNearest(row.current_message_id) ?? selected.at(-1)?.id ?? null,
  }
}

function toDetails(row: SummaryRow): Omit<SourceSummary, 'excerpt'> {
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    rev: row.rev,
    kind: row.kind,
    sourceKind: row.source_kind === 'keeper' ? null : row.source_kind,
    title: row.title,
    occurredAt: toIsoTime(row.occurred_at),
    messageCount: row.message_count,
    keepable: row.keepable,
    agentsMayQuote: row.kind === 'document' && row.ai_visible,
  }
}
