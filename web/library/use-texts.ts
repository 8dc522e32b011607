import { useEffect, useState } from 'react'
import type { DocumentText, LibraryDocument } from './documents.ts'
import { type Excerpt, excerptOf } from './search-documents.ts'
import type { LibraryStore } from './store/library-store.ts'

/** Extracts missing texts one by one while idle. @returns how many are left */
export function useReadTexts(store: LibraryStore, documents: readonly LibraryDocument[] | undefined): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!documents) return
    let stopped = false
    async function readAll(all: readonly LibraryDocument[]) {
      const known = new Set(await store.idsWithText())
      const waiting = all.filter(({ id }) => !known.has(id))
      for (const [at, document] of waiting.entries()) {
        if (stopped) return
        setLeft(waiting.length - at)
        await untilIdle()
        await store.keepText(await textOf(store, document))
      }
      if (!stopped) setLeft(0)
    }
    // Signed out or storage blocked, which the page reports.
    readAll(documents).catch(() => !stopped && setLeft(0))
    return () => {
      stopped = true
    }
  }, [store, documents])
  return left
}

async function textOf(store: LibraryStore, document: LibraryDocument): Promise<DocumentText> {
  const { extractText } = await import('./text/extract-text.ts')
  try {
    const blob = await store.bytes(document)
    const text = await extractText(blob, document.format, async (bytes, most) => {
      const { pdfText } = await import('./pdf/pdf-text.ts')
      return pdfText(bytes, most)
    })
    return { id: document.id, text, state: 'read' }
  } catch {
    // Encrypted, mislabeled or lost: found by name only, and the viewer shows the error.
    return { id: document.id, text: '', state: 'unread' }
  }
}

function untilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1000 })
    else setTimeout(resolve, 50)
  })
}

const none: ReadonlyMap<string, Excerpt> = new Map()

const pauseMs = 150

export interface FoundInText {
  /** By document id. */
  places: ReadonlyMap<string, Excerpt>
  isLooking: boolean
}

/** Searches again when `changes` changes, keeping the previous result meanwhile. */
export function useFoundInText(store: LibraryStore, words: string, changes: unknown): FoundInText {
  const [found, setFound] = useState({ words: '', places: none })
  const wanted = words.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` is what makes the same words worth another look
  useEffect(() => {
    if (wanted === '') return
    let stopped = false
    async function search() {
      const places = new Map<string, Excerpt>()
      for await (const some of store.texts()) {
        if (stopped) return
        for (const { id, text } of some) {
          const place = excerptOf(text, wanted)
          if (place) places.set(id, place)
        }
      }
      if (!stopped) setFound({ words: wanted, places })
    }
    // The page itself reports blocked storage.
    const timer = setTimeout(() => search().catch(() => !stopped && setFound({ words: wanted, places: none })), pauseMs)
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [store, wanted, changes])
  const isLooking = wanted !== '' && found.words !== wanted
  return { places: wanted !== '' && !isLooking ? found.places : none, isLooking }
}
