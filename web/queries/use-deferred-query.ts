import { useDeferredValue } from 'react'

/**
 * Holds back the first data until a deferred render, which React splits into short tasks, so that the page keeps
 * responding. Only `data` and `isPending` say that it is pending. The result can't be spread.
 */
export function useDeferredQuery<Query extends { data: unknown; isPending: boolean }>(query: Query): Query {
  const isDelayed = useDeferredValue(query.data === undefined) && query.data !== undefined
  if (!isDelayed) return query
  // A spread would read every field of the query, and so subscribe to it.
  return Object.create(query, { data: { value: undefined }, isPending: { value: true } })
}
