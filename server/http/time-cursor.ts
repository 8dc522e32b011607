import { type RawBuilder, sql } from 'kysely'
import { badField } from './problem.ts'

export function formatTimeCursor(at: number, id: string): string {
  return `${at}-${id}`
}

/** @throws Problem 400 for an invalid cursor */
export function parseTimeCursor(cursor: string): { at: number; id: string } {
  // Pages opened before an update may still send the old dot separator.
  const [, at, id] = /^(-?\d{1,15})[-.]([^.]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return { at: Number(at), id }
}

/** Options of `readPage` for lists by `created_at` and id, newest first. @throws Problem 400 for an invalid cursor */
export function getNewestFirstPage(table: string, cursor: string | undefined) {
  const order: [RawBuilder<unknown>, 'desc'][] = [
    [sql.ref(`${table}.created_at`), 'desc'],
    [sql.ref(`${table}.id`), 'desc'],
  ]
  const position = cursor === undefined ? undefined : parseTimeCursor(cursor)
  return {
    order,
    after: position && [position.at, position.id],
    getPosition: (row: { created_at: number; id: string }) => [row.created_at, row.id],
    formatCursor: (row: { created_at: number; id: string }) => formatTimeCursor(row.created_at, row.id),
  }
}
