import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'

/**
 * With a sign-out, in this tab or another, goes what the server answered or was still to answer. What the pages that
 * stay show is asked anew: a page that began to ask at the sign-out would otherwise wait for good.
 */
export function useAnswersOfPerson(isSignedIn: boolean): void {
  const queries = useQueryClient()
  // Before the pages begin to ask as a visitor, which they do in their effects.
  useLayoutEffect(() => {
    if (isSignedIn) return () => forgetAnswers(queries)
  }, [isSignedIn, queries])
  // After the pages that went let go of what they asked, and those that stay began.
  useEffect(() => {
    if (!isSignedIn) askAnew(queries)
  }, [isSignedIn, queries])
}

export function forgetAnswers(queries: QueryClient): void {
  queries.getMutationCache().clear()
  for (const query of queries.getQueryCache().getAll()) query.reset()
}

export function askAnew(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  void queries.refetchQueries({ type: 'active', fetchStatus: 'idle' })
}
