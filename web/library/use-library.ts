import { useCallback, useEffect, useState } from 'react'
import type { LibraryDocument } from './documents.ts'
import { type LibraryStore, undoMs } from './store/library-store.ts'
import { type Room, roomOfBrowser } from './store/room-of-browser.ts'

export interface Library {
  store: LibraryStore
  /** Undefined while loading. */
  documents: LibraryDocument[] | undefined
  /** The browser blocks storage. */
  refused: boolean
  /** Null where the browser has no estimate; undefined while loading. */
  room: Room | null | undefined
  look: () => void
}

/** Synchronized with this tab's and other tabs' changes. */
export function useLibrary(store: LibraryStore): Library {
  const [documents, setDocuments] = useState<LibraryDocument[]>()
  const [refused, setRefused] = useState(false)
  const [room, setRoom] = useState<Room | null>()

  const look = useCallback(() => {
    store.documents().then(
      (found) => {
        setDocuments(found)
        setRefused(false)
      },
      () => setRefused(true),
    )
    roomOfBrowser().then(setRoom)
  }, [store])

  useEffect(() => {
    look()
    const purge = () => store.purge().catch(() => undefined)
    purge()
    const timers = new Set<ReturnType<typeof setTimeout>>()
    const stop = store.onChange(() => {
      look()
      timers.add(setTimeout(() => purge().then(() => roomOfBrowser().then(setRoom)), undoMs + 500))
    })
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [store, look])

  return { store, documents, refused, room, look }
}
