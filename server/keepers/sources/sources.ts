import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { selectMessages } from '#contract/keepers/source-tree.ts'
import {
  librarySourceKind,
  maxStoredDocuments,
  type Source,
  type SourceSummary,
  type StoredDocument,
  type StoredSourceMessage,
  type sources,
} from '#contract/keepers/sources.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { badField } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import { createTextCondition } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { type EntryRow, parseJsonColumn, toRecordFields } from '../entries/entry-tables.ts'
import type { EntryChanges } from '../entries/save-entry.ts'
import { createPlainExcerpt, excerptSourceLength } from '../excerpt.ts'
import { requireKeeperFor } from '../keeper-access.ts'

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
    ...toRecordFields(row),
    kind: row.kind,
    sourceKind: row.source_kind === 'keeper' ? null : row.source_kind,
    title: row.title,
    occurredAt: toIsoTime(row.occurred_at),
    messageCount: row.message_count,
    keepable: row.keepable,
    agentsMayQuote: row.kind === 'document' && row.ai_visible,
  }
}

/** Derives the columns for listing and searching from the messages. */
export function summarizeMessages(messages: readonly StoredSourceMessage[]): { text: string; message_count: number } {
  const visible = messages.filter(({ hidden }) => !hidden)
  return { text: visible.map(({ text }) => text).join('\n\n'), message_count: visible.length }
}

const defaultPageSize = 100

const newestFirst: PageOrder = [
  [sql.ref('occurred_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

interface SourceFilter {
  q?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listSources(
  services: Services,
  person: Person,
  keeperId: string,
  { q, cursor, limit = defaultPageSize }: SourceFilter,
): Promise<Reply<SourceSummary[]>> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const text = q && (await createTextCondition(services, keeper, 'source', q))
  const query = db
    .selectFrom('sources')
    .select(['id', 'keeper_id', 'owner_id', 'created_at', 'updated_at', 'deleted_at', 'rev'])
    .select(['kind', 'title', 'message_count', 'occurred_at', 'keepable', 'ai_visible', 'source_kind', 'source_id'])
    .select(sql<string>`substr(text, 1, ${sql.lit(excerptSourceLength)})`.as('text'))
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', keeper.owner_id)
    .where('deleted_at', 'is', null)
    .where(text || sql<boolean>`true`)
  const { rows, next_cursor } = await readPage(query, {
    order: newestFirst,
    after: parseCursor(cursor, ['number', 'string']),
    getPosition: ({ occurred_at, id }) => [occurred_at, id],
    pageSize: limit,
    read: (page) => db.longRead(page),
  })
  return new Reply(rows.map(toSourceSummary), { extra: { next_cursor } })
}

/** Newest first. */
export async function listDocuments({ db }: Services, person: Person): Promise<StoredDocument[]> {
  const rows = await db
    .selectFrom('sources')
    .innerJoin('keepers', 'keepers.id', 'sources.keeper_id')
    .innerJoin('media', (join) => join.onRef('media.entity_id', '=', 'sources.id').on('media.entity', '=', 'source'))
    .select(['sources.id', 'sources.keeper_id', 'sources.title', 'sources.ai_visible', 'media.sha256'])
    .where('sources.owner_id', '=', person.id)
    .where('sources.source_kind', '=', librarySourceKind)
    .where('sources.deleted_at', 'is', null)
    .where('keepers.owner_id', '=', person.id)
    .where('keepers.deleted_at', 'is', null)
    .orderBy('sources.occurred_at', 'desc')
    .orderBy('sources.id', 'desc')
    .limit(maxStoredDocuments)
    .execute()
  return rows.map(({ id, keeper_id, title, ai_visible, sha256 }) => ({
    id,
    keeperId: keeper_id,
    title,
    sha256,
    agentsMayQuote: ai_visible,
  }))
}

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
