import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getEntryAddress } from '#contract/keepers/entry-address.ts'
import { sources } from '#contract/keepers/sources.ts'
import { call } from '#web/api.ts'
import type { LibraryDocument } from './documents.ts'

export const storedDocumentsKey = ['stored-documents'] as const

/** Finds the page of the copy that the server keeps. Without an answer of the server, none is known. */
export function useServerCopies(): (document: LibraryDocument) => string | undefined {
  const { data } = useQuery({
    queryKey: storedDocumentsKey,
    queryFn: ({ signal }) => call(sources.listDocuments, { signal }),
    retry: false,
  })
  return useMemo(() => {
    // The newest comes first and counts.
    const addresses = new Map(
      data
        ?.toReversed()
        .map(({ id, keeperId, sha256 }) => [sha256, getEntryAddress({ entity: 'source', keeperId, id })]),
    )
    return ({ sha256 }) => (sha256 === null ? undefined : addresses.get(sha256))
  }, [data])
}
