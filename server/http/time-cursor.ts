import { type RawBuilder, sql } from 'kysely'
import { badField } from './problem.ts'

/** Where a page of a list ends that is ordered by a time (ms) and an id, the newest first: the next one goes on from there. */
export function cursorAfter(at: number, id: string): string {
  return `${at}-${id}`
}

/** @throws Problem 400 for a cursor that is none */
export function placeOf(cursor: string): { at: number; id: string } {
  // A page that was open over an update still says the dot that two lists had.
  const [, at, id] = /^(-?\d{1,15})[-.]([^.]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw badField('cursor', 'Use the next_cursor of the page before.')
  return { at: Number(at), id }
}

/**
 * For `readPage`: newest first by `created_at` and id of a table, with time cursors.
 * @throws Problem 400 for a cursor that is none
 */
export function newestFirst(table: string, cursor: string | undefined) {
  const order: [RawBuilder<unknown>, 'desc'][] = [
    [sql.ref(`${table}.created_at`), 'desc'],
    [sql.ref(`${table}.id`), 'desc'],
  ]
  const end = cursor === undefined ? undefined : placeOf(cursor)
  return {
    order,
    after: end && [end.at, end.id],
    placeOf: (row: { created_at: number; id: string }) => [row.created_at, row.id],
    formatCursor: (row: { created_at: number; id: string }) => cursorAfter(row.created_at, row.id),
  }
}
