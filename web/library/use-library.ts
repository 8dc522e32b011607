import { useCallback, useEffect, useState } from 'react'
import type { LibraryDocument } from './documents.ts'
import { type LibraryStore, undoMs } from './store/library-store.ts'
import { type Room, roomOfBrowser } from './store/room-of-browser.ts'

export interface Library {
  store: LibraryStore
  /** Undefined until they are read. */
  documents: LibraryDocument[] | undefined
  /** The browser refuses to keep anything here, or to give it out. */
  refused: boolean
  /** Null where the browser does not say; undefined until it has. */
  room: Room | null | undefined
  look: () => void
}

/** What is in the library, kept up with this tab and the others. */
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
