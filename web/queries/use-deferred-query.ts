import { useDeferredValue } from 'react'

/** The query, pending until a deferred render has its first data: React splits that render into short tasks, so that the page keeps responding. */
export function useDeferredQuery<Query extends { data: unknown; isPending: boolean }>(query: Query): Query {
  const isDelayed = useDeferredValue(query.data === undefined) && query.data !== undefined
  if (!isDelayed) return query
  // A spread would read every field of the query, and so subscribe to it.
  return Object.create(query, { data: { value: undefined }, isPending: { value: true } })
}
