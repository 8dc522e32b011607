import type { DocumentType, LibraryDocument } from './documents.ts'

export type TypeFilter = 'all' | DocumentType

/** A place in the words of a document; `match` is as written there. */
export interface Excerpt {
  before: string
  match: string
  after: string
}

/** The newest first; those whose name, description or tag has the words, and those in whose text they were found. */
export function findDocuments(
  documents: readonly LibraryDocument[],
  { words, type, inText }: { words: string; type: TypeFilter; inText: ReadonlyMap<string, Excerpt> },
): LibraryDocument[] {
  return documents.filter(
    (each) => (type === 'all' || each.type === type) && (saysSo(each, words) || inText.has(each.id)),
  )
}

/** Whether its name, description or a tag has these words, whatever their case. */
function saysSo({ name, description, tags }: LibraryDocument, words: string): boolean {
  const wanted = words.trim().toLowerCase()
  return [name, description, ...tags].some((text) => text.toLowerCase().includes(wanted))
}

const before = 60
const after = 100
/** Somebody pasted a page: its beginning finds the place. */
const mostSought = 500

/** Where the words first stand in a text, with what is around them; undefined where they do not. */
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
