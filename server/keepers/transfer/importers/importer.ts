import type { SourceKind, StoredSourceMessage } from '#contract/keepers/sources.ts'
import type { ForeignImportKind } from '#contract/keepers/transfer.ts'
import type { ImportNotes } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'

/** Reads the export of another app into the form that preview, duplicates, job, report and undo share. */
export interface Importer {
  kind: ForeignImportKind
  /** Decides by names and first bytes, because people rename files. */
  recognizes(zip: ZipReader): boolean | Promise<boolean>
  /** Entries in a stable order; read once for the preview and again for the import.
   * @throws Problem 422 when nothing in the export can be read */
  read(zip: ZipReader, context: ReadContext): AsyncIterable<ImportedEntry | ImportedSource>
}

export interface ReadContext {
  /** What is left out, and why, with counts. */
  notes: ImportNotes
  /** The person's own time zone, for exports that name none. */
  timezone: string
  /** Moments of earlier imports by source id, to know an entry again that has moved. */
  importedIds: ReadonlyMap<string, string>
}

/** Values as the export has them, only of the right type: lengths, ranges and counts are checked for all importers at once. */
export interface ImportedEntry {
  /** Stable across exports, so that importing again creates nothing twice. */
  sourceId: string
  /** The journal, notebook or folder it comes from, as the preview lists it. */
  group: string
  occurredAt: number
  /** An IANA name or a fixed offset such as +05:30. Without any, the person's own, which is noted. */
  timezone?: string | undefined
  modifiedAt?: number | undefined
  title?: string | undefined
  /** Markdown. Links to other entries of the export are made by `formatEntryLink`. */
  text: string
  topics?: string[] | undefined
  mood?: { score: number; label?: string | undefined } | undefined
  place?: { name?: string | undefined; lat?: number | undefined; lng?: number | undefined } | undefined
  weather?: { tempC?: number | undefined; condition?: string | undefined; source: string } | undefined
  pinned?: boolean | undefined
  files?: ImportedFile[] | undefined
}

/** A conversation or document: never a moment, because another wrote part of it. One that has grown since is updated. */
export interface ImportedSource {
  kind: SourceKind
  sourceId: string
  /** The account, project or folder it comes from, as the preview lists it. */
  group: string
  occurredAt: number
  /** Last change in the other app; a later one updates the source. */
  changedAt?: number | undefined
  title?: string | undefined
  /** All branches, in the order of writing. Those without text only link others. */
  messages: ImportedMessage[]
  /** End of the branch that the app shows. */
  currentMessageId?: string | undefined
  /** False when the person asked the app not to remember it. */
  keepable?: boolean
}

export interface ImportedMessage extends Pick<StoredSourceMessage, 'id' | 'parentId' | 'role' | 'text' | 'hidden'> {
  at?: number | undefined
  model?: string | undefined
}

export interface ImportedFile {
  /** Name in the zip; undefined for a file that the export mentions without a way to find it. */
  file: string | undefined
  name?: string | undefined
  alt?: string | undefined
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
}

const getEntryAddress = 'imported-entry:'

/** A Markdown link to another entry of the export. */
export const formatEntryLink = (label: string, sourceId: string): string =>
  `[${label}](${getEntryAddress}${encodeURIComponent(sourceId).replace(/[()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)})`

// Without an open bracket in the label, every character is read once.
const entryLink = /\[((?:[^\]\\\n[]|\\.){0,500})\]\(imported-entry:([^\s)]{0,1800})\)/g

/** Gives links of `formatEntryLink` their address; a link to an entry that isn't imported becomes its label. */
export function resolveEntryLinks(text: string, getAddress: (sourceId: string) => string | undefined): string {
  if (!text.includes(getEntryAddress)) return text
  return text.replace(entryLink, (_, label: string, id: string) => {
    const address = getAddress(decode(id))
    return address === undefined ? label : `[${label}](${address})`
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
