import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { takePage } from './page-bytes.ts'
import { badField } from './problem.ts'

/** Sort order of a list; the last column is unique, and no value is null. */
export type Order = readonly (readonly [by: RawBuilder<unknown>, direction: 'asc' | 'desc'])[]
/** A row's values of the sort columns. */
export type Place = readonly (string | number | boolean)[]

export const pageLength = 1000

interface Paging<Row> {
  order: Order
  after: Place | undefined
  placeOf(row: Row): Place
  most?: number
  /** Bytes of a row's long texts, if a full page could exceed a response. */
  size?: RawBuilder<number>
  formatCursor?: (row: Row) => string
  read?: (query: Compilable<Row>) => Promise<Row[]>
}

/** Reads one page of `query` in this order, starting behind `after`. */
export async function readPage<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { order, after, placeOf, most = pageLength, size, formatCursor = (row) => cursorTo(placeOf(row)), read }: Paging<Row>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  let asked = after ? query.where(comesAfter(order, after)) : query
  for (const [by, direction] of order) asked = asked.orderBy(by, direction)
  const readRows = (rows: typeof asked) => (read ? read(rows) : rows.execute())
  let fitting = most
  if (size) {
    const sizes = asked.clearSelect().select(size.as('size')).limit(most) as unknown as typeof asked
    fitting = takePage((await readRows(sizes)) as { size: number }[], most).length || most
  }
  const rows = await readRows(asked.limit(fitting + 1))
  const shown = rows.slice(0, fitting)
  const last = rows.length > fitting ? shown.at(-1) : undefined
  return { rows: shown, next_cursor: last === undefined ? null : formatCursor(last) }
}

const systemFirst: Order = [
  [sql.ref('system'), 'desc'],
  [sql.ref('created_at'), 'asc'],
  [sql.ref('id'), 'asc'],
]

/** System entries, then people's, oldest first. `size`: bytes of a row's long texts. @throws Problem 400 */
export function readSystemFirst<
  Database,
  Table extends keyof Database,
  Row extends { system: boolean; created_at: number; id: string },
>(query: SelectQueryBuilder<Database, Table, Row>, cursor: string | undefined, size: RawBuilder<number>) {
  return readPage(query.clearOrderBy(), {
    order: systemFirst,
    after: placeIn(cursor, [true, 0, '']),
    placeOf: ({ system, created_at, id }) => [system, created_at, id],
    size,
  })
}

/** SQL condition: the row is behind a position. */
function comesAfter(order: Order, place: Place): RawBuilder<SqlBool> {
  return order.reduceRight<RawBuilder<SqlBool> | undefined>((after, [by, direction], at) => {
    const beyond = direction === 'asc' ? sql<SqlBool>`${by} > ${place[at]}` : sql<SqlBool>`${by} < ${place[at]}`
    return after ? sql<SqlBool>`(${beyond} or (${by} = ${place[at]} and ${after}))` : beyond
  }, undefined)!
}

/** Position in a list of several kinds, newest first; rows of the same time are ordered by kind. */
export type MixedPlace = readonly [at: number, kind: number, id: string]

/** SQL condition for one kind, ordered by `at` descending and `id`: the row is behind a position. */
export function comesLater(
  { at, id, kind }: { at: RawBuilder<unknown>; id: RawBuilder<unknown>; kind: number },
  [endedAt, endedKind, endedId]: MixedPlace,
): RawBuilder<SqlBool> {
  if (kind < endedKind) return sql<SqlBool>`${at} < ${endedAt}`
  if (kind > endedKind) return sql<SqlBool>`${at} <= ${endedAt}`
  return sql<SqlBool>`${at} <= ${endedAt} and (${at} < ${endedAt} or ${id} > ${endedId})`
}

/** For lists not read by {@link readPage}. */
export function cursorTo(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Position from a cursor; `like` has the same types of values. @throws Problem 400 for an invalid cursor */
export function placeIn<const Like extends Place>(cursor: string | undefined, like: Like): Widened<Like> | undefined {
  if (cursor === undefined) return undefined
  let said: unknown
  try {
    said = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    said = undefined
  }
  const fits = Array.isArray(said) && said.length === like.length && like.every((one, at) => isLike(said[at], one))
  if (!fits) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return said as unknown as Widened<Like>
}

type Widened<Like extends Place> = {
  [At in keyof Like]: Like[At] extends string ? string : Like[At] extends number ? number : boolean
}

function isLike(said: unknown, one: Place[number]): boolean {
  if (typeof said === 'string') return typeof one === 'string' && said.isWellFormed() && !said.includes('\u0000')
  return typeof said === typeof one && (typeof said !== 'number' || Number.isSafeInteger(said))
}
