import type { SourceKind, StoredSourceMessage } from '#contract/keepers/sources.ts'
import type { ForeignImportKind } from '#contract/keepers/transfer.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'
import { decodeName } from './foreign-values.ts'

/** Reads the export of another app into entries that preview, import and undo can use. */
export interface Importer {
  kind: ForeignImportKind
  /** Decides by names and first bytes, because people rename files. */
  recognizes(zip: ZipReader): boolean | Promise<boolean>
  /** Entries in a stable order; read once for the preview and again for the import.
   * @throws Problem 422 when nothing in the export can be read */
  read(zip: ZipReader, context: ReadContext): AsyncIterable<ImportedEntry | ImportedSource>
}

export interface ReadContext {
  /** Counts of entries and values that are left out or changed, with reasons. */
  notes: ImportNotes
  /** The person's own time zone, for exports without one. */
  timezone: string
  /** Moments of earlier imports by source id, to recognize entries that have moved. */
  importedIds: ReadonlyMap<string, string>
}

/**
 * Values from the export, already of the right type. Lengths, ranges and counts are checked later, in one place for all
 * importers.
 */
export interface ImportedEntry {
  /** Stable across exports, so that importing again doesn't create duplicates. */
  sourceId: string
  /** The journal, notebook or folder it comes from, as the preview lists it. */
  group: string
  occurredAt: number
  /** An IANA name or a fixed offset such as +05:30. If absent, the person's time zone is used, with a note. */
  timezone?: string | undefined
  modifiedAt?: number | undefined
  title?: string | undefined
  /** Markdown. Links to other entries of the export are made by `formatEntryLink`. */
  text: string
  /** A question of the other app, which becomes a quote above the text. */
  prompt?: string | undefined
  /** Values that a moment has no field for; they become a list below the text. */
  details?: readonly string[]
  /** An entry without words, title or files is its mood and topics. */
  isMoodLog?: boolean
  topics?: string[] | undefined
  /** A label without a score goes into the text. */
  mood?: { score?: number | undefined; label?: string | undefined } | undefined
  place?: { name?: string | undefined; lat?: number | undefined; lng?: number | undefined } | undefined
  weather?: { tempC?: number | undefined; condition?: string | undefined; source: string } | undefined
  pinned?: boolean | undefined
  files?: ImportedFile[] | undefined
}

/**
 * A conversation or document. It doesn't become a moment, because the person didn't write all of it. If it has grown
 * since the last import, it is updated.
 */
export interface ImportedSource {
  kind: SourceKind
  sourceId: string
  /** The account, project or folder it comes from, as the preview lists it. */
  group: string
  occurredAt: number
  /** Last change in the other app; a later one updates the source. */
  changedAt?: number | undefined
  title?: string | undefined
  /** Messages of all branches, in the order they were written. Messages without text only link others. */
  messages: ImportedMessage[]
  /** End of the branch that the app shows. */
  currentMessageId?: string | undefined
  /** False if the person told the other app not to remember it. */
  keepable?: boolean
}

export interface ImportedMessage extends Pick<StoredSourceMessage, 'id' | 'parentId' | 'role' | 'text' | 'hidden'> {
  at?: number | undefined
  model?: string | undefined
}

export interface ImportedFile {
  /** Name in the zip; undefined if the export mentions the file but doesn't contain it. */
  file: string | undefined
  name?: string | undefined
  alt?: string | undefined
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
}

const entryLinkScheme = 'imported-entry:'

/** A Markdown link to another entry of the export. */
export function formatEntryLink(label: string, sourceId: string): string {
  const encodedId = encodeURIComponent(sourceId).replaceAll('(', '%28').replaceAll(')', '%29')
  return `[${label}](${entryLinkScheme}${encodedId})`
}

// The label excludes `[`, so that every character is read only once.
const entryLink = /\[((?:[^\]\\\n[]|\\.){0,500})\]\(imported-entry:([^\s)]{0,1800})\)/g

/** Resolves links of `formatEntryLink` to paths. A link to an entry that isn't imported becomes plain text. */
export function resolveEntryLinks(text: string, findEntryPath: (sourceId: string) => string | undefined): string {
  if (!text.includes(entryLinkScheme)) return text
  return text.replace(entryLink, (_, label: string, id: string) => {
    const path = findEntryPath(decodeName(id))
    return path === undefined ? label : `[${label}](${path})`
  })
}
