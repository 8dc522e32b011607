import type { DocumentType, LibraryDocument } from './documents.ts'

export type TypeFilter = 'all' | DocumentType

/** `match` keeps the document's spelling. */
export interface Excerpt {
  before: string
  match: string
  after: string
}

/** Matches name, description or tags (case-insensitive), or text by way of `inText`. */
export function findDocuments(
  documents: readonly LibraryDocument[],
  { words, type, inText }: { words: string; type: TypeFilter; inText: ReadonlyMap<string, Excerpt> },
): LibraryDocument[] {
  return documents.filter(
    (each) => (type === 'all' || each.type === type) && (saysSo(each, words) || inText.has(each.id)),
  )
}

function saysSo({ name, description, tags }: LibraryDocument, words: string): boolean {
  const wanted = words.trim().toLowerCase()
  return [name, description, ...tags].some((text) => text.toLowerCase().includes(wanted))
}

const before = 60
const after = 100
/** Longer queries, such as a pasted page, are cut. */
const mostSought = 500

/** First match with its context, or undefined. */
export function excerptOf(text: string, words: string): Excerpt | undefined {
  const wanted = words
    .slice(0, 2 * mostSought)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, mostSought)
  if (wanted === '') return undefined
  const found = new RegExp(wanted.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'iu').exec(text)
  if (!found) return undefined
  const from = Math.max(0, found.index - before)
  const to = found.index + found[0].length
  const lead = text.slice(from, found.index)
  const rest = text.slice(to, to + after)
  return {
    before: from === 0 ? lead : `…${lead.slice(lead.indexOf(' ') + 1)}`,
    match: found[0],
    after: to + after >= text.length ? rest : `${rest.slice(0, Math.max(rest.lastIndexOf(' '), 0)) || rest}…`,
  }
}
