import { useEffect, useState } from 'react'
import type { ExtractedText, LibraryDocument } from './documents.ts'
import { type DocumentMatches, searchTexts } from './search-documents.ts'
import type { LibraryStore } from './store/library-store.ts'

/** Extracts missing texts one by one while idle. @returns how many are left */
export function useTextIndexing(store: LibraryStore, documents: readonly LibraryDocument[] | undefined): number {
  const [unreadCount, setUnreadCount] = useState(0)
  useEffect(() => {
    if (!documents) return
    let isCancelled = false
    async function indexAll(allDocuments: readonly LibraryDocument[]) {
      const indexedIds = new Set(await store.listIndexedIds())
      const unindexed = allDocuments.filter(({ id }) => !indexedIds.has(id))
      for (const [index, document] of unindexed.entries()) {
        if (isCancelled) return
        setUnreadCount(unindexed.length - index)
        await waitUntilIdle()
        const text = await readText(store, document)
        if (text) await store.saveText(text)
      }
      if (!isCancelled) setUnreadCount(0)
    }
    // Signed out or storage blocked, which the page reports.
    indexAll(documents).catch(() => {
      if (!isCancelled) setUnreadCount(0)
    })
    return () => {
      isCancelled = true
    }
  }, [store, documents])
  return unreadCount
}

/** Undefined if it has to be tried again on the next visit. */
async function readText(store: LibraryStore, document: LibraryDocument): Promise<ExtractedText | undefined> {
  const { extractText } = await import('./text/extract-text.ts')
  try {
    const blob = await store.readBytes(document)
    const text = await extractText(blob, document.format, async (bytes, maxCharacters) => {
      const { extractPdfPages } = await import('./pdf/pdf-text.ts')
      return (await extractPdfPages(bytes, maxCharacters)).join('\n')
    })
    return { id: document.id, text, state: 'read' }
  } catch (reason) {
    if (reason instanceof Error && reason.name === 'PdfFilesMissing') return undefined
    // Encrypted, mislabeled or lost: found by name only, and the viewer shows the error.
    return { id: document.id, text: '', state: 'unread' }
  }
}

function waitUntilIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 1000 })
    else setTimeout(resolve, 50)
  })
}

const noMatches: DocumentMatches = new Map()

const typingPauseMs = 150

export interface TextSearch {
  matches: DocumentMatches
  isSearching: boolean
}

/** @param refreshKey searches again when this changes */
export function useTextSearch(
  store: LibraryStore,
  documents: readonly LibraryDocument[] | undefined,
  query: string,
  refreshKey: unknown,
): TextSearch {
  const [result, setResult] = useState({ query: '', matches: noMatches })
  const trimmedQuery = query.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: new texts of the same documents are a reason to search again
  useEffect(() => {
    if (trimmedQuery === '') return
    let isCancelled = false
    async function search() {
      const matches = await searchTexts(store, documents ?? [], trimmedQuery, () => isCancelled)
      if (!isCancelled) setResult({ query: trimmedQuery, matches })
    }
    // The page itself reports blocked storage.
    const timer = setTimeout(
      () => search().catch(() => !isCancelled && setResult({ query: trimmedQuery, matches: noMatches })),
      typingPauseMs,
    )
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [store, trimmedQuery, refreshKey])
  const isSearching = trimmedQuery !== '' && result.query !== trimmedQuery
  return { matches: trimmedQuery !== '' && !isSearching ? result.matches : noMatches, isSearching }
}
