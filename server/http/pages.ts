import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { takePage } from './page-bytes.ts'
import { badField } from './problem.ts'

/** What a list is ordered by, first to last; the last tells each row from all others. No value is ever null. */
export type Order = readonly (readonly [by: RawBuilder<unknown>, direction: 'asc' | 'desc'])[]
/** Of a row, one for each of the order. */
export type Place = readonly (string | number | boolean)[]

/** So many entries of a room come at once; `next_cursor` leads to the rest. */
export const pageLength = 1000

interface Paging<Row> {
  order: Order
  after: Place | undefined
  placeOf(row: Row): Place
  /** Rows of a page, where one is long. */
  most?: number
  /** Bytes of the long texts of a row, where a page of them may be more than one answer should hold. */
  size?: RawBuilder<number>
  /** For lists whose cursors have a form of their own. */
  formatCursor?: (row: Row) => string
  /** How they are asked for, where that is not `execute`. */
  read?: (query: Compilable<Row>) => Promise<Row[]>
}

/** The rows of `query` in this order, from behind `after` on, up to a page of them; `placeOf` tells where one stands. */
export async function readPage<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { order, after, placeOf, most = pageLength, size, formatCursor = (row) => cursorTo(placeOf(row)), read }: Paging<Row>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  let asked = after ? query.where(comesAfter(order, after)) : query
  for (const [by, direction] of order) asked = asked.orderBy(by, direction)
  const readRows = (rows: typeof asked) => (read ? read(rows) : rows.execute())
  let fitting = most
  if (size) {
    // Their texts are not read for that.
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

/**
 * A page of what comes with Keeper, and then of what people made, the oldest first.
 * @param size bytes of the long texts of a row
 * @throws Problem 400 for a cursor that is none
 */
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

/** True for the rows behind a place. */
function comesAfter(order: Order, place: Place): RawBuilder<SqlBool> {
  return order.reduceRight<RawBuilder<SqlBool> | undefined>((after, [by, direction], at) => {
    const beyond = direction === 'asc' ? sql<SqlBool>`${by} > ${place[at]}` : sql<SqlBool>`${by} < ${place[at]}`
    return after ? sql<SqlBool>`(${beyond} or (${by} = ${place[at]} and ${after}))` : beyond
  }, undefined)!
}

/** Where a page ends of a list of several kinds, newest first: what is of one instant stands in the order of the kinds. */
export type MixedPlace = readonly [at: number, kind: number, id: string]

/** True for the rows of one kind, ordered by `at` backwards and `id`, that are behind a place. */
export function comesLater(
  { at, id, kind }: { at: RawBuilder<unknown>; id: RawBuilder<unknown>; kind: number },
  [endedAt, endedKind, endedId]: MixedPlace,
): RawBuilder<SqlBool> {
  if (kind < endedKind) return sql<SqlBool>`${at} < ${endedAt}`
  if (kind > endedKind) return sql<SqlBool>`${at} <= ${endedAt}`
  return sql<SqlBool>`${at} <= ${endedAt} and (${at} < ${endedAt} or ${id} > ${endedId})`
}

/** For a list that {@link readPage} does not read by itself. */
export function cursorTo(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/**
 * Where the page before ended; `undefined` without a cursor.
 * @param like a place of the same kinds of values
 * @throws Problem 400 for a cursor that is none
 */
export function placeIn<const Like extends Place>(cursor: string | undefined, like: Like): Widened<Like> | undefined {
  if (cursor === undefined) return undefined
  let said: unknown
  try {
    said = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    said = undefined
  }
  const fits = Array.isArray(said) && said.length === like.length && like.every((one, at) => isLike(said[at], one))
  if (!fits) throw badField('cursor', 'Use the next_cursor of the page before.')
  return said as unknown as Widened<Like>
}

type Widened<Like extends Place> = {
  [At in keyof Like]: Like[At] extends string ? string : Like[At] extends number ? number : boolean
}

function isLike(said: unknown, one: Place[number]): boolean {
  if (typeof said === 'string') return typeof one === 'string' && said.isWellFormed() && !said.includes('\u0000')
  return typeof said === typeof one && (typeof said !== 'number' || Number.isSafeInteger(said))
}
