import type * as z from 'zod/mini'
import type { logbook } from '#contract/keepers/logbook.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import { showOneLine } from '#contract/one-line-text.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { withoutLongText } from '../entries/history-states.ts'
import { tellKeeperChanged } from '../entries/tell-keeper-changed.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { type LinkedTopic, topicLinks, topicsByName } from '../topics/link-topics.ts'
import { type LogbookRow, logbookView } from './logbook-view.ts'
import { saidIn, tidyTags } from './save-logbook-entry.ts'

type Renaming = z.output<typeof logbook.renameWord.body & {}>

const tries = 4
const idsAtOnce = 400

/** Renames a category or tag in all entries atomically, with history; an existing name merges. @throws Problem 400 */
export async function renameWord(
  services: Services,
  person: Person,
  keeperId: string,
  renaming: Renaming,
): Promise<{ changed: number }> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  for (let attempt = 1; ; attempt++) {
    const entries = await entriesWith(services, keeper, renaming)
    if (entries.length === 0) throw badField('from', `No entry has the ${renaming.kind} “${renaming.from}”.`)
    if (renaming.from === renaming.to) return { changed: 0 }
    const tags = renaming.kind === 'tag' ? entries.flatMap((row) => tagsAfter(row, renaming)) : []
    // Resolved in one query instead of one per entry.
    const meant = await topicsByName(services, keeper, tags)
    const writes = entries.flatMap((row) => renamed(services, keeper, row, renaming, meant))
    try {
      await services.db.batch(writes)
    } catch (error) {
      // An entry was saved concurrently: retry.
      if (error instanceof UnexpectedChanges && attempt < tries) continue
      throw error
    }
    services.usage.add(keeper.owner_id, 0, entries.length)
    tellKeeperChanged(services, keeper.owner_id, keeper.id, 'logbook')
    return { changed: entries.length }
  }
}

async function entriesWith({ db }: Services, keeper: KeeperRow, { kind, from }: Renaming): Promise<LogbookRow[]> {
  const named = await db
    .selectFrom('logbook_entries')
    .select(['id', 'category', 'tags'])
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .execute()
  const ids = named.filter((row) => hasWord(row, kind, from)).map(({ id }) => id)
  const rows: LogbookRow[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce)
    rows.push(
      ...(await db
        .selectFrom('logbook_entries')
        .selectAll()
        .where('id', 'in', ids.slice(at, at + idsAtOnce))
        .where('deleted_at', 'is', null)
        .execute()),
    )
  return rows.filter((row) => hasWord(row, kind, from))
}

/** Compares visible characters, as old values can contain invisible ones. */
function hasWord(row: Pick<LogbookRow, 'category' | 'tags'>, kind: Renaming['kind'], word: string): boolean {
  return (kind === 'category' ? [row.category] : row.tags).some((stored) => showOneLine(stored) === word)
}

const tagsAfter = ({ tags }: LogbookRow, { from, to }: Renaming) =>
  tidyTags(tags.map((tag) => (showOneLine(tag) === from ? to : tag)))

function renamed(
  services: Services,
  keeper: KeeperRow,
  row: LogbookRow,
  renaming: Renaming,
  meant: ReadonlyMap<string, LinkedTopic>,
): Write[] {
  const { db } = services
  const now = services.now().getTime()
  const { kind, to } = renaming
  const tags = kind === 'tag' ? tagsAfter(row, renaming) : null
  const topics = new Set((tags ?? []).flatMap((tag) => meant.get(foldedTopic(tag)) ?? []))
  const links = tags ? topicLinks(services, keeper, saidIn(row), [...topics]) : []
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
      snapshot: json(withoutLongText('logbook', { ...logbookView(row) }, { entry: row.entry })),
      saved_at: now,
    }),
    ...links,
  ]
}
