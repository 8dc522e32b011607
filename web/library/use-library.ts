import { useCallback, useEffect, useState } from 'react'
import type { LibraryDocument } from './documents.ts'
import { type LibraryStore, undoMs } from './store/library-store.ts'
import { getStorageSpace, type StorageSpace } from './store/storage-space.ts'

export interface Library {
  store: LibraryStore
  documents: LibraryDocument[] | undefined
  /** The browser blocks storage. */
  isStorageBlocked: boolean
  /** Null where the browser has no estimate; undefined while loading. */
  storageSpace: StorageSpace | null | undefined
  refresh: () => void
}

export function useLibrary(store: LibraryStore): Library {
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
      timers.add(setTimeout(() => purge().then(() => getStorageSpace().then(setStorageSpace)), undoMs + 500))
    })
    return () => {
      unsubscribe()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [store, refresh])

  return { store, documents, isStorageBlocked, storageSpace, refresh }
}
