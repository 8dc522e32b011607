import type { DocumentType, LibraryDocument } from './documents.ts'

export type TypeFilter = 'all' | DocumentType

/** `match` keeps the document's spelling. */
export interface Excerpt {
  before: string
  match: string
  after: string
}

export function findDocuments(
  documents: readonly LibraryDocument[],
  { query, type, inText }: { query: string; type: TypeFilter; inText: ReadonlyMap<string, Excerpt> },
): LibraryDocument[] {
  return documents.filter(
    (document) =>
      (type === 'all' || document.type === type) && (matchesMetadata(document, query) || inText.has(document.id)),
  )
}

function matchesMetadata({ name, description, tags }: LibraryDocument, query: string): boolean {
  const normalizedQuery = query.trim().toLowerCase()
  return [name, description, ...tags].some((text) => text.toLowerCase().includes(normalizedQuery))
}

const contextBefore = 60
const contextAfter = 100
/** Longer queries, such as a pasted page, are cut. */
const maxQueryLength = 500

export function findExcerpt(text: string, query: string): Excerpt | undefined {
  const normalizedQuery = query
    .slice(0, 2 * maxQueryLength)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, maxQueryLength)
  if (normalizedQuery === '') return undefined
  const match = new RegExp(normalizedQuery.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'iu').exec(text)
  if (!match) return undefined
  const from = Math.max(0, match.index - contextBefore)
  const to = match.index + match[0].length
  const leading = text.slice(from, match.index)
  const trailing = text.slice(to, to + contextAfter)
  return {
    before: from === 0 ? leading : `…${leading.slice(leading.indexOf(' ') + 1)}`,
    match: match[0],
    after:
      to + contextAfter >= text.length
        ? trailing
        : `${trailing.slice(0, Math.max(trailing.lastIndexOf(' '), 0)) || trailing}…`,
  }
}
