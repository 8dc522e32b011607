import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'

/** Drops all responses on sign-out in any tab and refetches mounted queries, which would otherwise stay pending. */
export function useResetOnSignOut(isSignedIn: boolean): void {
  const queries = useQueryClient()
  // Runs before the pages fetch as a visitor, which they do in effects.
  useLayoutEffect(() => {
    if (isSignedIn) return () => resetQueries(queries)
  }, [isSignedIn, queries])
  // Runs after pages have unmounted their queries and the remaining ones have started theirs.
  useEffect(() => {
    if (!isSignedIn) refetchActiveQueries(queries)
  }, [isSignedIn, queries])
}

export function resetQueries(queries: QueryClient): void {
  queries.getMutationCache().clear()
  for (const query of queries.getQueryCache().getAll()) query.reset()
}

export function refetchActiveQueries(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  void queries.refetchQueries({ type: 'active', fetchStatus: 'idle' })
}
