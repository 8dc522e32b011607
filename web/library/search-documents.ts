import { normalizeSearchText } from '#contract/search/normalize-search-text.ts'
import { createSearchExcerpt, type SearchExcerpt } from '#contract/search/search-excerpt.ts'
import { matchesSearchQuery, parseSearchQuery } from '#contract/search/search-query.ts'
import type { DocumentType, LibraryDocument } from './documents.ts'
import type { LibraryStore } from './store/library-store.ts'

export type TypeFilter = 'all' | DocumentType

/** Excerpts by id of the documents that match. `undefined`: only the details match, not the text. */
export type DocumentMatches = ReadonlyMap<string, SearchExcerpt | undefined>

type SearchableDetails = Pick<LibraryDocument, 'id' | 'name' | 'description' | 'tags'>

/** Longer queries, such as a pasted page, are cut. */
const maxQueryLength = 500

export function findDocuments(
  documents: readonly LibraryDocument[],
  { query, type, inText }: { query: string; type: TypeFilter; inText: DocumentMatches },
): LibraryDocument[] {
  const parsed = parseDocumentQuery(query)
  return documents.filter(
    (document) =>
      (type === 'all' || document.type === type) &&
      (inText.has(document.id) || matchesSearchQuery(normalizeSearchText(formatDetails(document)), parsed)),
  )
}

export const parseDocumentQuery = (query: string) => parseSearchQuery(query.slice(0, maxQueryLength).toWellFormed())

const formatDetails = ({ name, description, tags }: SearchableDetails) => [name, description, ...tags].join('\n')

/** Finds documents that have all words in their text and details together. `isStopped` ends the search early. */
export async function searchTexts(
  store: Pick<LibraryStore, 'readTextBatches'>,
  documents: readonly SearchableDetails[],
  query: string,
  isStopped: () => boolean = () => false,
): Promise<DocumentMatches> {
  const parsed = parseDocumentQuery(query)
  const matches = new Map<string, SearchExcerpt | undefined>()
  if (parsed.required.length === 0) return matches
  const details = new Map(documents.map((document) => [document.id, formatDetails(document)]))
  for await (const batch of store.readTextBatches()) {
    if (isStopped()) break
    for (const { id, text } of batch) {
      const detailsText = details.get(id)
      if (detailsText === undefined) continue
      if (matchesSearchQuery(normalizeSearchText(`${detailsText}\n${text}`), parsed))
        matches.set(id, createSearchExcerpt(text, parsed.required))
    }
  }
  return matches
}
