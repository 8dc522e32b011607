import type * as z from 'zod/mini'
import type { logbook } from '#contract/keepers/logbook.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { omitLongText } from '../entries/history-states.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { isActiveIn, type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { buildTopicLinkWrites, type LinkedTopic, resolveTopicsByName } from '../topics/link-topics.ts'
import { type LogbookRow, toLogbookEntry } from './list-logbook.ts'
import { normalizeTags } from './save-logbook-entry.ts'

type RenameRequest = z.output<typeof logbook.renameWord.body & {}>

const batchSize = 400

/** Renames a category or tag in all entries atomically, with history; an existing name merges. @throws Problem 400 */
export async function renameWord(
  services: Services,
  person: Person,
  keeperId: string,
  request: RenameRequest,
): Promise<{ changed: number }> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  return retryChanges(async () => {
    const entries = await findEntries(services, keeper, request)
    if (entries.length === 0) throw badField('from', `No entry has the ${request.kind} “${request.from}”.`)
    if (request.from === request.to) return { changed: 0 }
    const tags = request.kind === 'tag' ? entries.flatMap((row) => getRenamedTags(row, request)) : []
    const topicByName = await resolveTopicsByName(services, keeper, tags)
    const writes = entries.flatMap((row) => createRenameWrites(services, keeper, row, request, topicByName))
    await services.db.batch(writes)
    services.usage.add(keeper.owner_id, 0, entries.length)
    publishKeeperChanged(services, keeper.owner_id, keeper.id, 'logbook')
    return { changed: entries.length }
  })
}

async function findEntries({ db }: Services, keeper: KeeperRow, { kind, from }: RenameRequest): Promise<LogbookRow[]> {
  const candidates = await db
    .selectFrom('logbook_entries')
    .select(['id', 'category', 'tags'])
    .where(isActiveIn(keeper.id))
    .execute()
  const ids = candidates.filter((row) => hasWord(row, kind, from)).map(({ id }) => id)
  const rows: LogbookRow[] = []
  for (let offset = 0; offset < ids.length; offset += batchSize)
    rows.push(
      ...(await db
        .selectFrom('logbook_entries')
        .selectAll()
        .where('id', 'in', ids.slice(offset, offset + batchSize))
        .where('deleted_at', 'is', null)
        .execute()),
    )
  return rows.filter((row) => hasWord(row, kind, from))
}

/** Compares visible characters, as old values can contain invisible ones. */
function hasWord(row: Pick<LogbookRow, 'category' | 'tags'>, kind: RenameRequest['kind'], word: string): boolean {
  return (kind === 'category' ? [row.category] : row.tags).some((storedWord) => toDisplayLine(storedWord) === word)
}

const getRenamedTags = ({ tags }: LogbookRow, { from, to }: RenameRequest) =>
  normalizeTags(tags.map((tag) => (toDisplayLine(tag) === from ? to : tag)))

function createRenameWrites(
  services: Services,
  keeper: KeeperRow,
  row: LogbookRow,
  request: RenameRequest,
  topicByName: ReadonlyMap<string, LinkedTopic>,
): Write[] {
  const { db } = services
  const now = services.now().getTime()
  const { kind, to } = request
  const tags = kind === 'tag' ? getRenamedTags(row, request) : null
  const topics = new Set((tags ?? []).flatMap((tag) => topicByName.get(normalizeTopicName(tag)) ?? []))
  const entryRef = { entity: 'logbook', id: row.id, saidAt: row.created_at } as const
  const links = tags ? buildTopicLinkWrites(services, keeper, entryRef, [...topics]) : []
  return [
    requireChanges(
      db
        .updateTable('logbook_entries')
        .set({ ...(tags ? { tags: json(tags) } : { category: to }), rev: row.rev + 1, updated_at: now })
        .where('id', '=', row.id)
        .where('rev', '=', row.rev)
        .where('deleted_at', 'is', null),
    ),
    db.insertInto('entry_history').values({
      id: services.newId(),
      keeper_id: row.keeper_id,
      owner_id: row.owner_id,
      entity: 'logbook',
      entity_id: row.id,
      rev: row.rev,
      snapshot: json(omitLongText('logbook', { ...toLogbookEntry(row) }, { entry: row.entry })),
      saved_at: now,
    }),
    ...links,
  ]
}
