import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { parseJsonColumn } from '../entries/json-column.ts'

export type LogbookRow = EntryRow<'logbook'>

export function toLogbookEntry(row: LogbookRow): LogbookEntry {
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
    agentId: row.agent_id,
    entry: row.entry,
    label: row.label,
    category: row.category,
    tags: parseJsonColumn(row.tags),
    occurredOn: row.occurred_on,
    pinned: row.pinned,
    aiVisible: row.ai_visible,
    momentId: row.moment_id,
    journeyId: row.journey_id,
  }
}
