import { type SelectQueryBuilder, sql } from 'kysely'
import type { LogbookEntry } from '#contract/keepers/logbook.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type EntryRow, parseJsonColumn, toRecordFields } from '../entries/entry-tables.ts'
import { isActiveIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'

const logbookOrder = orderByColumns({ pinned: 'desc', occurred_on: 'desc', created_at: 'desc', id: 'desc' })

/** Pinned first, then newest first by day. @throws Problem 400 for an invalid cursor */
export const readLogbookPage = (
  { db }: Services,
  entries: SelectQueryBuilder<Schema, 'logbook_entries', LogbookRow>,
  cursor: string | undefined,
) =>
  readPage(entries, {
    ...logbookOrder,
    after: parseCursor(cursor, ['boolean', 'string', 'number', 'string']),
    size: sql<number>`octet_length(entry)`,
    read: (query) => db.longRead(query),
  })

/** @throws Problem 404; 400 for an invalid cursor */
export async function listLogbook(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<LogbookEntry[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { rows, next_cursor } = await readLogbookPage(services, queryEntries(services, keeper.id).selectAll(), cursor)
  return new Reply(rows.map(toLogbookEntry), { extra: { next_cursor } })
}

const maxListedValues = 10_000

export async function listCategories(services: Services, person: Person, keeperId: string): Promise<string[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await queryEntries(services, keeper.id).select('category').distinct().execute()
  return rows
    .map(({ category }) => category)
    .sort(compareAlphabetically)
    .slice(0, maxListedValues)
}

export async function listTags(services: Services, person: Person, keeperId: string): Promise<string[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await queryEntries(services, keeper.id).select('tags').execute()
  return [...new Set(rows.flatMap(({ tags }) => tags))].sort(compareAlphabetically).slice(0, maxListedValues)
}

const queryEntries = ({ db }: Services, keeperId: string) =>
  db.selectFrom('logbook_entries').where(isActiveIn(keeperId))

const compareAlphabetically = new Intl.Collator('en').compare

export type LogbookRow = EntryRow<'logbook'>

export function toLogbookEntry(row: LogbookRow): LogbookEntry {
  return {
    ...toRecordFields(row),
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

export async function exportLogbook(
  services: Services,
  person: Person,
  keeperId: string,
  format: 'md' | 'json',
): Promise<Response> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const rows = await queryEntries(services, keeper.id)
    .selectAll()
    .orderBy('occurred_on')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const entries = rows.map(toLogbookEntry)
  const text =
    format === 'md'
      ? renderMarkdown(keeper, entries)
      : `${JSON.stringify({ keeper: keeper.title, entries }, null, 2)}\n`
  return new Response(text, {
    headers: {
      'content-type': format === 'md' ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="identity-logbook-${keeper.id}.${format}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function renderMarkdown(keeper: KeeperRow, entries: LogbookEntry[]): string {
  const entriesByYear = Map.groupBy(entries, ({ occurredOn }) => occurredOn.slice(0, 4))
  const blocks = [`# ${toOneLine(keeper.title)} - Identity Logbook`]
  for (const [year, yearEntries] of entriesByYear) {
    blocks.push(`## ${year}`)
    const entriesByCategory = Map.groupBy(yearEntries, ({ category }) => category)
    for (const category of [...entriesByCategory.keys()].sort(compareAlphabetically)) {
      blocks.push(`### Who I was: ${toOneLine(category)}`)
      for (const { occurredOn, label, entry, tags } of entriesByCategory.get(category) ?? []) {
        blocks.push(`#### ${occurredOn} ${toOneLine(label)}`, entry)
        if (tags.length > 0) blocks.push(`Tags: ${tags.map(toOneLine).join(', ')}`)
      }
    }
  }
  return `${blocks.join('\n\n')}\n`
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ')
