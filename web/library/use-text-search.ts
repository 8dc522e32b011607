import { useEffect, useState } from 'react'
import type { DocumentText, LibraryDocument } from './documents.ts'
import { type Excerpt, findExcerpt } from './search-documents.ts'
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
        await store.saveText(await readText(store, document))
      }
      if (!isCancelled) setUnreadCount(0)
    }
    // Signed out or storage blocked, which the page reports.
    indexAll(documents).catch(() => !isCancelled && setUnreadCount(0))
    return () => {
      isCancelled = true
    }
  }, [store, documents])
  return unreadCount
}

async function readText(store: LibraryStore, document: LibraryDocument): Promise<DocumentText> {
  const { extractText } = await import('./text/extract-text.ts')
  try {
    const blob = await store.readBytes(document)
    const text = await extractText(blob, document.format, async (bytes, maxCharacters) => {
      const { extractPdfText } = await import('./pdf/pdf-text.ts')
      return extractPdfText(bytes, maxCharacters)
    })
    return { id: document.id, text, state: 'read' }
  } catch {
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

const noExcerpts: ReadonlyMap<string, Excerpt> = new Map()

const pauseMs = 150

export interface TextSearch {
  excerpts: ReadonlyMap<string, Excerpt>
  isSearching: boolean
}

/** Searches again when `changes` changes, keeping the previous result until then. */
export function useTextSearch(store: LibraryStore, query: string, changes: unknown): TextSearch {
  const [result, setResult] = useState({ query: '', excerpts: noExcerpts })
  const trimmedQuery = query.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `changes` triggers a new search for the same query
  useEffect(() => {
    if (trimmedQuery === '') return
    let isCancelled = false
    async function search() {
      const excerpts = new Map<string, Excerpt>()
      for await (const batch of store.readTextBatches()) {
        if (isCancelled) return
        for (const { id, text } of batch) {
          const excerpt = findExcerpt(text, trimmedQuery)
          if (excerpt) excerpts.set(id, excerpt)
        }
      }
      if (!isCancelled) setResult({ query: trimmedQuery, excerpts: excerpts })
    }
    // The page itself reports blocked storage.
    const timer = setTimeout(
      () => search().catch(() => !isCancelled && setResult({ query: trimmedQuery, excerpts: noExcerpts })),
      pauseMs,
    )
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [store, trimmedQuery, changes])
  const isSearching = trimmedQuery !== '' && result.query !== trimmedQuery
  return { excerpts: trimmedQuery !== '' && !isSearching ? result.excerpts : noExcerpts, isSearching }
}
