import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { sources } from '#contract/keepers/sources.ts'
import { call } from '#web/api/api.ts'
import type { LibraryDocument } from './documents.ts'
import { type LibraryStore, undoMs } from './store/library-store.ts'
import { getStorageSpace, type StorageSpace } from './store/storage-space.ts'

/** After the undo period of a deletion. */
const purgeDelayMs = undoMs + 500

export interface LibraryState {
  store: LibraryStore
  documents: LibraryDocument[] | undefined
  /** The browser blocks storage. */
  isStorageBlocked: boolean
  /** Null where the browser has no estimate; undefined while loading. */
  storageSpace: StorageSpace | null | undefined
  refresh: () => void
}

export function useLibrary(store: LibraryStore): LibraryState {
  const [documents, setDocuments] = useState<LibraryDocument[]>()
  const [isStorageBlocked, setStorageBlocked] = useState(false)
  const [storageSpace, setStorageSpace] = useState<StorageSpace | null>()

  const refresh = useCallback(() => {
    store.listDocuments().then(
      (loaded) => {
        setDocuments(loaded)
        setStorageBlocked(false)
      },
      () => setStorageBlocked(true),
    )
    getStorageSpace().then(setStorageSpace)
  }, [store])

  useEffect(() => {
    refresh()
    const purge = () => store.purge().catch(() => undefined)
    purge()
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const unsubscribe = store.onChange(() => {
      refresh()
      timers.add(setTimeout(() => purge().then(() => getStorageSpace().then(setStorageSpace)), purgeDelayMs))
    })
    return () => {
      unsubscribe()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [store, refresh])

  return { store, documents, isStorageBlocked, storageSpace, refresh }
}

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
    // Reversed, so that the newest copy of a document wins.
    const addresses = new Map(
      data?.toReversed().map(({ id, keeperId, sha256 }) => [sha256, getEntryPath({ entity: 'source', keeperId, id })]),
    )
    return ({ sha256 }) => (sha256 === null ? undefined : addresses.get(sha256))
  }, [data])
}
