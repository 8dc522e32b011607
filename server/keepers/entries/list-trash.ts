import { sql } from 'kysely'
import { entityNames } from '#contract/keepers/entity-names.ts'
import { type TrashedEntry, trashRetentionMs } from '#contract/keepers/entries.ts'
import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { Person } from '#server/accounts/person.ts'
import { formatPosition, type PositionAcrossKinds, parseCursor, whereAfterAcrossKinds } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { createExcerpt, createPlainExcerpt, excerptSourceLength } from '../excerpt.ts'
import { deletableTables } from './entry-tables.ts'

const pageSize = 1000

const titleColumns: Record<Entity, { plain: string[]; markdown?: string }> = {
  keeper: { plain: ['title'] },
  reflection: { plain: [], markdown: 'content' },
  card: { plain: [], markdown: 'content' },
  voice: { plain: ['label', 'belief'] },
  echo: { plain: ['message'] },
  logbook: { plain: ['label', 'entry'] },
  moment: { plain: ['title'], markdown: 'body' },
  journey: { plain: ['title'] },
  path: { plain: ['title'] },
  topic: { plain: ['name'] },
  source: { plain: ['title'], markdown: 'text' },
}

const kindOrder = Object.keys(deletableTables) as Entity[]

interface TrashQuery {
  since: number
  keeperId: string | undefined
  after: PositionAcrossKinds | undefined
}

/** Restorable items of one keeper or all, newest first. @throws Problem 400 for an invalid cursor */
export async function listTrash(
  services: Services,
  person: Pick<Person, 'id'>,
  { keeperId, cursor }: { keeperId?: string | undefined; cursor?: string | undefined },
): Promise<Reply<TrashedEntry[]>> {
  const since = services.now().getTime() - trashRetentionMs
  const trashQuery = { since, keeperId, after: parseCursor(cursor, ['number', 'number', 'string']) }
  const lists = await Promise.all(kindOrder.map((entity) => listTrashedOfKind(services, person, entity, trashQuery)))
  // A stable sort, so ties stay ordered by kind and id.
  const allItems = lists.flat().sort((a, b) => b.deletedAt - a.deletedAt)
  const page = allItems.slice(0, pageSize)
  const last = allItems.length > pageSize ? page.at(-1) : undefined
  const next_cursor = last ? formatPosition([last.deletedAt, kindOrder.indexOf(last.entity), last.id]) : null
  return new Reply(
    page.map(({ deletedAt, ...item }) => ({
      ...item,
      deletedAt: new Date(deletedAt).toISOString(),
      goneAt: new Date(deletedAt + trashRetentionMs).toISOString(),
    })),
    { extra: { next_cursor } },
  )
}

async function listTrashedOfKind(
  { db }: Services,
  person: Pick<Person, 'id'>,
  entity: Entity,
  { since, keeperId, after }: TrashQuery,
) {
  const { plain, markdown } = titleColumns[entity]
  const toExcerptSql = (column: string) =>
    sql`nullif(trim(substr(${sql.ref(column)}, 1, ${sql.lit(excerptSourceLength)})), '')`
  const sealedPlaceholder =
    entity === 'echo' ? sql<string>`case when sealed and delivered_at is null then 'Sealed echo' end, ` : sql``
  const keeperColumn = entity === 'keeper' ? 'id' : 'keeper_id'
  const columns = { at: sql.ref('deleted_at'), id: sql.ref('id'), kind: kindOrder.indexOf(entity) }
  const rows = await db
    .selectFrom(deletableTables[entity] as 'journeys')
    .select(['id', 'deleted_at', sql.ref<string>(keeperColumn).as('keeper_id')])
    .select(
      sql<string>`coalesce(${sealedPlaceholder}${sql.join([...plain.map(toExcerptSql), sql`null`])}, '')`.as('title'),
    )
    .select(sql<string>`coalesce(${markdown ? toExcerptSql(markdown) : sql`null`}, '')`.as('markdown'))
    .where('owner_id', '=', person.id)
    .where('deleted_at', '>', since)
    .$if(keeperId !== undefined, (query) => query.where(sql.ref(keeperColumn), '=', keeperId))
    .$if(after !== undefined, (query) => query.where(whereAfterAcrossKinds(columns, after as PositionAcrossKinds)))
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(pageSize + 1)
    .execute()
  return rows.map(({ id, keeper_id, deleted_at, title, markdown: text }) => ({
    entity,
    id,
    keeperId: keeper_id,
    title: createExcerpt(title) || createPlainExcerpt(text) || entityNames[entity],
    deletedAt: deleted_at ?? 0,
  }))
}
