import { type Expression, expressionBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import type { Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { selectPeopleVisibleTo } from '#server/domains/people/people-of-domains.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

/** Tables of built-in entries, which everyone sees, and people's, which members of their domains see. */
export type SharedTable = 'agent_classes' | 'engagement_templates' | 'keeper_types' | 'memory_patterns'
export type Viewer = Pick<Person, 'id'>

export interface CatalogRow {
  id: string
  slug: string
  owner_id: string | null
  created_at: number
  updated_at: number
  rev: number
  system?: boolean
}

/** One kind of things that come with Keeper and that people can create, change and share, such as themes. */
export interface CatalogKind<Row extends CatalogRow, View> {
  table: SharedTable | 'themes'
  noun: string
  texts: { notFound: string; system: string; foreign: string }
  find(services: Services, person: Viewer, idOrSlug: string): Promise<Row | undefined>
  toViews(services: Services, rows: readonly Row[], person: Viewer): Promise<View[]>
  /** Columns that limit how many entries are on a page. */
  longColumns?: (keyof Row & string)[]
  /** Returns writes that belong to the change. @throws Problem 400 */
  beforeUpdate?(services: Services, person: Person, updated: Row, previous: Row): Promise<Write[]>
  listUses?(services: Services, person: Person, row: Row): EntryUse[] | Promise<EntryUse[]>
}

/** `rows`: a query that returns rows while the entry is in use. */
export interface EntryUse {
  rows: Expression<unknown>
  message: string
}

export const createCatalogTexts = (name: string, noun: string): CatalogKind<CatalogRow, unknown>['texts'] => ({
  notFound: `${name} not found`,
  system: `This ${noun} comes with Keeper. Duplicate it to change the copy.`,
  foreign: `Only the person who created this ${noun} can change it. Duplicate it to change the copy.`,
})

export function selectVisibleEntries<Table extends SharedTable>({ db }: Services, person: Viewer, table: Table) {
  const shared: SharedTable = table
  const where = expressionBuilder<Schema, SharedTable>()
  return db
    .selectFrom(shared)
    .selectAll(shared)
    .where(
      where.or([
        where(`${shared}.system`, '=', true),
        where(`${shared}.owner_id`, '=', person.id),
        where(`${shared}.owner_id`, 'in', selectPeopleVisibleTo(db, person.id)),
      ]),
    )
    .orderBy(`${shared}.system`, 'desc')
    .orderBy(`${shared}.created_at`)
    .orderBy(`${shared}.id`)
    .$castTo<Selectable<Schema[Table]>>()
}

/** @throws Problem 404 */
export async function requireEntry<Row extends CatalogRow, View>(
  services: Services,
  person: Viewer,
  kind: CatalogKind<Row, View>,
  idOrSlug: string,
): Promise<Row> {
  const row = await kind.find(services, person, idOrSlug)
  if (!row) throw createEntryNotFound(kind)
  return row
}

export const createEntryNotFound = ({ texts }: { texts: { notFound: string } }) =>
  new Problem('not-found', { message: texts.notFound })

/** @throws Problem 404; 403 for built-in and other people's entries */
export async function requireOwnEntry<Row extends CatalogRow, View>(
  services: Services,
  person: Viewer,
  kind: CatalogKind<Row, View>,
  idOrSlug: string,
): Promise<Row> {
  const row = await requireEntry(services, person, kind, idOrSlug)
  if (row.system) throw new Problem('forbidden', { message: kind.texts.system })
  if (row.owner_id !== person.id) throw new Problem('forbidden', { message: kind.texts.foreign })
  return row
}

const systemFirstOrder = orderByColumns({ system: 'desc', created_at: 'asc', id: 'asc' })

/** Built-in entries, then people's, oldest first. @throws Problem 400 for an invalid cursor */
export async function listEntries<Row extends CatalogRow & { system: boolean }, View>(
  services: Services,
  person: Viewer,
  kind: CatalogKind<Row, View>,
  cursor: string | undefined,
  query: SelectQueryBuilder<Schema, SharedTable, Row> = selectVisibleEntries(
    services,
    person,
    kind.table as SharedTable,
  ).$castTo<Row>(),
): Promise<Reply<View[]>> {
  const sizes = (kind.longColumns ?? []).map((column) => sql`octet_length(cast(${sql.ref(column)} as text))`)
  const { rows, next_cursor } = await readPage(query.clearOrderBy(), {
    ...systemFirstOrder,
    after: parseCursor(cursor, ['boolean', 'number', 'string']),
    size: sql<number>`${sql.join(sizes, sql` + `)}`,
  })
  return new Reply(await kind.toViews(services, rows, person), { extra: { next_cursor } })
}

export async function toEntryView<Row extends CatalogRow, View>(
  services: Services,
  person: Viewer,
  kind: CatalogKind<Row, View>,
  row: Row,
): Promise<View> {
  const [view] = await kind.toViews(services, [row], person)
  if (!view) throw new Error(`The ${kind.noun} ${row.id} has no view`)
  return view
}

export const toCommonFields = (row: CatalogRow & { system: boolean; description: string }, person: Viewer) => ({
  id: row.id,
  slug: row.slug,
  description: row.description,
  system: row.system,
  mine: row.owner_id === person.id,
  createdAt: toIsoTime(row.created_at),
  rev: row.rev,
})
