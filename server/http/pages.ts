import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { badField } from './problem.ts'

/** Sort order of a list; the last column is unique, and no value is null. */
export type PageOrder = readonly (readonly [by: RawBuilder<unknown>, direction: 'asc' | 'desc'])[]
export type PagePosition = readonly (string | number | boolean)[]

export const defaultPageSize = 1000

/** `order` and `getPosition` of a list that is sorted by columns. */
export function orderByColumns<Column extends string>(directions: Record<Column, 'asc' | 'desc'>, table?: string) {
  const columns = Object.keys(directions) as Column[]
  return {
    order: columns.map((column) => [sql.ref(table ? `${table}.${column}` : column), directions[column]] as const),
    getPosition: (row: Record<Column, PagePosition[number]>) => columns.map((column) => row[column]),
  }
}

interface PageOptions<Row> {
  order: PageOrder
  after: PagePosition | undefined
  getPosition(row: NoInfer<Row>): PagePosition
  pageSize?: number
  /** SQL for the bytes of a row; limits a page to 8 MB. */
  size?: RawBuilder<number>
  formatCursor?: (row: Row) => string
  read?: (query: Compilable<Row>) => Promise<Row[]>
}

export async function readPage<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  {
    order,
    after,
    getPosition,
    pageSize = defaultPageSize,
    size,
    formatCursor = (row) => formatPosition(getPosition(row)),
    read,
  }: PageOptions<Row>,
): Promise<{ rows: Row[]; next_cursor: string | null }> {
  let ordered = after ? query.where(whereAfter(order, after)) : query
  for (const [by, direction] of order) ordered = ordered.orderBy(by, direction)
  const readRows = (rows: typeof ordered) => (read ? read(rows) : rows.execute())
  let rowCount = pageSize
  if (size) {
    const sizes = ordered.clearSelect().select(size.as('size')).limit(pageSize) as unknown as typeof ordered
    rowCount = takeFittingRows((await readRows(sizes)) as { size: number }[], pageSize).length || pageSize
  }
  const rows = await readRows(ordered.limit(rowCount + 1))
  const visibleRows = rows.slice(0, rowCount)
  const last = rows.length > rowCount ? visibleRows.at(-1) : undefined
  return { rows: visibleRows, next_cursor: last === undefined ? null : formatCursor(last) }
}

function whereAfter(order: PageOrder, position: PagePosition): RawBuilder<SqlBool> {
  return order.reduceRight<RawBuilder<SqlBool> | undefined>((after, [by, direction], index) => {
    const isBeyond =
      direction === 'asc' ? sql<SqlBool>`${by} > ${position[index]}` : sql<SqlBool>`${by} < ${position[index]}`
    return after ? sql<SqlBool>`(${isBeyond} or (${by} = ${position[index]} and ${after}))` : isBeyond
  }, undefined)!
}

/** Position in a list of several kinds of rows, each from its own query: newest first, then by kind, then by id. */
export type PositionAcrossKinds = readonly [at: number, kind: number, id: string]

/** SQL condition for the rows of one kind that come after a position in the list of all kinds. */
export function whereAfterAcrossKinds(
  { at, id, kind }: { at: RawBuilder<unknown>; id: RawBuilder<unknown>; kind: number },
  [lastAt, lastKind, lastId]: PositionAcrossKinds,
): RawBuilder<SqlBool> {
  if (kind < lastKind) return sql<SqlBool>`${at} < ${lastAt}`
  if (kind > lastKind) return sql<SqlBool>`${at} <= ${lastAt}`
  return sql<SqlBool>`${at} <= ${lastAt} and (${at} < ${lastAt} or ${id} > ${lastId})`
}

export function formatPosition(position: PagePosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** The position in a cursor, with values of these types. @throws Problem 400 for an invalid cursor */
export function parseCursor<const Types extends readonly (keyof ValueTypes)[]>(
  cursor: string | undefined,
  types: Types,
): TypedPosition<Types> | undefined {
  if (cursor === undefined) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    parsed = undefined
  }
  const isValid =
    Array.isArray(parsed) &&
    parsed.length === types.length &&
    types.every((type, index) => isValueOfType(parsed[index], type))
  if (!isValid) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return parsed as unknown as TypedPosition<Types>
}

type ValueTypes = { string: string; number: number; boolean: boolean }
type TypedPosition<Types extends readonly (keyof ValueTypes)[]> = { [Index in keyof Types]: ValueTypes[Types[Index]] }

function isValueOfType(value: unknown, type: keyof ValueTypes): boolean {
  if (typeof value !== type) return false
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000')
  return typeof value !== 'number' || Number.isSafeInteger(value)
}

const maxPageBytes = 8 * 1024 * 1024

/** The first rows that have at most 8 MB together, but at least one and at most `limit`. */
export function takeFittingRows<SizedRow extends { size: number | string }>(
  rows: readonly SizedRow[],
  limit = rows.length,
): SizedRow[] {
  let bytes = 0
  const end = rows.findIndex(({ size }, index) => {
    bytes += Number(size)
    return index > 0 && bytes > maxPageBytes
  })
  return rows.slice(0, end === -1 ? limit : Math.min(end, limit))
}
