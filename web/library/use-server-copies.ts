import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { sources } from '#contract/keepers/sources.ts'
import { call } from '#web/api/api.ts'
import type { LibraryDocument } from './documents.ts'

export const storedDocumentsKey = ['stored-documents'] as const

/**
 * Returns a function that finds the page of a document's copy on the server. While the server can't be reached, it
 * finds none.
 */
export function useServerCopies(): (document: LibraryDocument) => string | undefined {
  const { data } = useQuery({
    queryKey: storedDocumentsKey,
    queryFn: ({ signal }) => call(sources.listDocuments, { signal }),
    retry: false,
  })
  return useMemo(() => {
    // The newest comes first and counts.
    const addresses = new Map(
      data?.toReversed().map(({ id, keeperId, sha256 }) => [sha256, getEntryPath({ entity: 'source', keeperId, id })]),
    )
    return ({ sha256 }) => (sha256 === null ? undefined : addresses.get(sha256))
  }, [data])
}
