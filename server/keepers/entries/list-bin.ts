import { sql } from 'kysely'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { type Binned, keptInBinMs } from '#contract/keepers/entries.ts'
import type { Person } from '#server/accounts/person.ts'
import { comesLater, cursorTo, type MixedPlace, placeIn } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { excerptOf, plainExcerptOf, readForExcerpt } from '../excerpt-of.ts'
import { type EntryEntity, entryTables } from './entry-tables.ts'

const atOnce = 1000

/** The title is the first nonempty column. */
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

const entities = Object.keys(entryTables) as EntryEntity[]
/** Order of items deleted at the same instant. */
const kinds = ['keeper', ...entities] as const

interface Looking {
  since: number
  keeperId: string | undefined
  after: MixedPlace | undefined
}

/** Restorable items of one keeper or all, newest first. @throws Problem 400 for an invalid cursor */
export async function listBin(
  services: Services,
  person: Pick<Person, 'id'>,
  { keeperId, cursor }: { keeperId?: string | undefined; cursor?: string | undefined },
): Promise<Reply<Binned[]>> {
  const since = services.now().getTime() - keptInBinMs
  const looking = { since, keeperId, after: placeIn(cursor, [0, 0, '']) }
  const found = await Promise.all([
    binnedKeepers(services, person, looking),
    ...entities.map((entity) => binnedEntries(services, person, entity, looking)),
  ])
  // A stable sort, so ties stay ordered by kind and id.
  const all = found.flat().sort((one, other) => other.deletedAt - one.deletedAt)
  const shown = all.slice(0, atOnce)
  const last = all.length > atOnce ? shown.at(-1) : undefined
  const next_cursor = last ? cursorTo([last.deletedAt, kinds.indexOf(last.entity), last.id]) : null
  return new Reply(
    shown.map(({ deletedAt, ...rest }) => ({
      ...rest,
      deletedAt: new Date(deletedAt).toISOString(),
      goneAt: new Date(deletedAt + keptInBinMs).toISOString(),
    })),
    { extra: { next_cursor } },
  )
}

const binnedLater = (entity: (typeof kinds)[number], after: MixedPlace | undefined) =>
  after
    ? comesLater({ at: sql.ref('deleted_at'), id: sql.ref('id'), kind: kinds.indexOf(entity) }, after)
    : sql<boolean>`true`

async function binnedKeepers({ db }: Services, person: Pick<Person, 'id'>, { since, keeperId, after }: Looking) {
  const rows = await db
    .selectFrom('keepers')
    .select(['id', 'title', 'deleted_at'])
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', since)
    .$if(keeperId !== undefined, (query) => query.where('id', '=', keeperId ?? ''))
    .where(binnedLater('keeper', after))
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(atOnce + 1)
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
  { since, keeperId, after }: Looking,
) {
  const { plain, markdown } = titleColumns[entity]
  const begins = (column: string) => sql`nullif(trim(substr(${sql.ref(column)}, 1, ${sql.lit(readForExcerpt)})), '')`
  const unread =
    entity === 'echo' ? sql<string>`case when sealed and delivered_at is null then 'Sealed echo' end, ` : sql``
  // Each of these tables has the selected columns.
  const rows = await db
    .selectFrom(entryTables[entity] as 'journeys')
    .select(['id', 'keeper_id', 'deleted_at'])
    .select(sql<string>`coalesce(${unread}${sql.join([...plain.map(begins), sql`null`])}, '')`.as('title'))
    .select(sql<string>`coalesce(${markdown ? begins(markdown) : sql`null`}, '')`.as('markdown'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', since)
    .$if(keeperId !== undefined, (query) => query.where('keeper_id', '=', keeperId ?? ''))
    .where(binnedLater(entity, after))
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(atOnce + 1)
    .execute()
  return rows.map(({ id, keeper_id, deleted_at, title, markdown: text }) => ({
    entity,
    id,
    keeperId: keeper_id,
    title: excerptOf(title) || plainExcerptOf(text) || entityNames[entity],
    deletedAt: deleted_at ?? 0,
  }))
}
