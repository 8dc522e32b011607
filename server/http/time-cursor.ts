import { badField } from '#server/http/problem.ts'

/** Where a page of what was written ends, newest first: the next one goes on from there. */
export function cursorAfter({ created_at, id }: { created_at: number; id: string }): string {
  return `${created_at}-${id}`
}

/** @throws Problem 400 for a cursor that is none */
export function placeOf(cursor: string): { at: number; id: string } {
  const [, at = '', id = ''] = /^(\d{1,15})-(\w+)$/.exec(cursor) ?? []
  if (id === '') throw badField('cursor', 'Use the next_cursor of the page before.')
  return { at: Number(at), id }
}
