import { sql } from 'kysely'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { type Binned, keptInBinMs } from '#contract/keepers/entries.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { excerptOf, plainExcerptOf, readForExcerpt } from '../excerpt-of.ts'
import { type EntryEntity, entryTables } from './entry-tables.ts'

const mostAtOnce = 1000

/** By what somebody knows it again: the first of these that says something. */
const titleColumns: Record<EntryEntity, { plain: string[]; markdown?: string }> = {
  reflection: { plain: [], markdown: 'content' },
  card: { plain: [], markdown: 'content' },
  voice: { plain: ['label', 'belief'] },
  echo: { plain: ['message'] },
  logbook: { plain: ['label', 'entry'] },
  moment: { plain: ['title'], markdown: 'body' },
  journey: { plain: ['title'] },
  path: { plain: ['title'] },
  topic: { plain: ['name'] },
}

/** What this person deleted and can still bring back, newest first, at most 1,000; of one keeper, or of all. */
export async function listBin(
  services: Services,
  person: Pick<Person, 'id'>,
  { keeperId }: { keeperId?: string | undefined },
): Promise<Binned[]> {
  const since = services.now().getTime() - keptInBinMs
  const entities = Object.keys(entryTables) as EntryEntity[]
  const found = await Promise.all([
    binnedKeepers(services, person, since, keeperId),
    ...entities.map((entity) => binnedEntries(services, person, entity, since, keeperId)),
  ])
  return found
    .flat()
    .sort((one, other) => other.deletedAt - one.deletedAt || (one.id < other.id ? 1 : -1))
    .slice(0, mostAtOnce)
    .map(({ deletedAt, ...rest }) => ({
      ...rest,
      deletedAt: new Date(deletedAt).toISOString(),
      goneAt: new Date(deletedAt + keptInBinMs).toISOString(),
    }))
}

async function binnedKeepers(
  { db }: Services,
  person: Pick<Person, 'id'>,
  since: number,
  keeperId: string | undefined,
) {
  const rows = await db
    .selectFrom('keepers')
    .select(['id', 'title', 'deleted_at'])
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', since)
    .$if(keeperId !== undefined, (query) => query.where('id', '=', keeperId ?? ''))
    .orderBy('deleted_at', 'desc')
    .limit(mostAtOnce)
    .execute()
  return rows.map(({ id, title, deleted_at }) => ({
    entity: 'keeper' as const,
    id,
    keeperId: id,
    title,
    deletedAt: deleted_at ?? 0,
  }))
}

async function binnedEntries(
  { db }: Services,
  person: Pick<Person, 'id'>,
  entity: EntryEntity,
  since: number,
  keeperId: string | undefined,
) {
  const { plain, markdown } = titleColumns[entity]
  const begins = (column: string) => sql`nullif(trim(substr(${sql.ref(column)}, 1, ${sql.lit(readForExcerpt)})), '')`
  const unread =
    entity === 'echo' ? sql<string>`case when sealed and delivered_at is null then 'Sealed echo' end, ` : sql``
  // Every table of the map has these columns; Kysely cannot know which one it is.
  const rows = await db
    .selectFrom(entryTables[entity] as 'journeys')
    .select(['id', 'keeper_id', 'deleted_at'])
    .select(sql<string>`coalesce(${unread}${sql.join([...plain.map(begins), sql`null`])}, '')`.as('title'))
    .select(sql<string>`coalesce(${markdown ? begins(markdown) : sql`null`}, '')`.as('markdown'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', since)
    .$if(keeperId !== undefined, (query) => query.where('keeper_id', '=', keeperId ?? ''))
    .orderBy('deleted_at', 'desc')
    .limit(mostAtOnce)
    .execute()
  return rows.map(({ id, keeper_id, deleted_at, title, markdown: text }) => ({
    entity,
    id,
    keeperId: keeper_id,
    title: excerptOf(title) || plainExcerptOf(text) || entityNames[entity],
    deletedAt: deleted_at ?? 0,
  }))
}
