import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'

/** Drops all responses on sign-out in any tab and refetches mounted queries, which would otherwise stay pending. */
export function useResetOnSignOut(isSignedIn: boolean): void {
  const queryClient = useQueryClient()
  // Runs before the pages fetch as a visitor, which they do in effects.
  useLayoutEffect(() => {
    if (isSignedIn) return () => resetQueries(queryClient)
  }, [isSignedIn, queryClient])
  // Runs after pages have unmounted their queries and the remaining ones have started theirs.
  useEffect(() => {
    if (!isSignedIn) refetchActiveQueries(queryClient)
  }, [isSignedIn, queryClient])
}

export function resetQueries(queryClient: QueryClient): void {
  queryClient.getMutationCache().clear()
  for (const query of queryClient.getQueryCache().getAll()) query.reset()
}

export function refetchActiveQueries(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  void queryClient.refetchQueries({ type: 'active', fetchStatus: 'idle' })
}
