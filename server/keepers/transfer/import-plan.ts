import type { Moment } from '#contract/keepers/moments.ts'
import type { SourceKind, StoredSourceMessage } from '#contract/keepers/sources.ts'
import type { ImportPreview } from '#contract/keepers/transfer.ts'
import type { ArchivedEntity } from './archive-columns.ts'
import type { ArchivedEntry, ArchivedKeeper, ArchivedPath, ArchivedRun, ArchivedVersion } from './archive-format.ts'
import type { ImportedFile } from './importers/importer.ts'
import type { TopicSlice } from './slice-topics.ts'

// The contents of an archive as the worker thread posts them: validated, with ids of this server, and cloneable.

export interface ImportTarget {
  id: string
  owner_id: string
}

export type EntryColumns = Record<string, unknown>

export interface EntryPart {
  kind: 'entry'
  keeper: ImportTarget
  entity: ArchivedEntity
  id: string
  entry: Pick<ArchivedEntry, 'id' | 'source' | 'createdAt' | 'updatedAt' | 'media'>
  columns: EntryColumns
  topicIds: string[]
}

/** An entry of another app as a moment, within the rules that edits have to follow. */
export interface MomentPart
  extends Pick<Moment, 'localDate' | 'timezone' | 'title' | 'mood' | 'place' | 'weather' | 'pinned'> {
  kind: 'moment'
  target: ImportTarget
  id: string
  sourceId: string
  occurredAt: number
  updatedAt: number
  text: string
  topics: string[]
  files: (ImportedFile & { file: string })[]
}

/** A conversation or document of another app. */
export interface SourcePart {
  kind: 'source'
  target: ImportTarget
  id: string
  /** The source has changed since an earlier import. */
  isUpdate?: boolean
  sourceId: string
  sourceKind: SourceKind
  title: string
  messages: StoredSourceMessage[]
  currentMessageId: string | null
  occurredAt: number
  changedAt: number | null
  keepable: boolean
}

export type ImportPart =
  | {
      kind: 'keeper'
      target: ImportTarget
      keeper: TopicSlice &
        Pick<ArchivedKeeper, 'title' | 'purpose' | 'keeperType' | 'memoryPattern' | 'theme' | 'createdAt' | 'updatedAt'>
    }
  | EntryPart
  | { kind: 'path'; target: ImportTarget; journeyId: string; position: number; path: ArchivedPath }
  | { kind: 'sole'; target: ImportTarget; version: ArchivedVersion; isPending: boolean }
  | { kind: 'run'; target: ImportTarget; position: number; run: ArchivedRun }
  | MomentPart
  | SourcePart

/** The parts have a stable order, so that an import can resume. */
export interface ImportPlan {
  preview: ImportPreview
  total: number
  parts(): Iterable<ImportPart> | AsyncIterable<ImportPart>
  keeperIds: string[]
}

export const emptyPreview: ImportPreview = {
  parts: [],
  entries: 0,
  duplicates: 0,
  media: 0,
  missingMedia: 0,
  drafts: 0,
  from: null,
  to: null,
  notes: [],
}

export function extendSpan(preview: ImportPreview, isoTime: string): void {
  if (preview.from === null || isoTime < preview.from) preview.from = isoTime
  if (preview.to === null || isoTime > preview.to) preview.to = isoTime
}

export const maxTitleLength = 120
export const untitledKeeper = 'Imported keeper'
const maxNotes = 20

export function limitNotes(notes: readonly string[], omittedCount = 0): Pick<ImportPreview, 'notes' | 'moreNotes'> {
  const moreNotes = omittedCount + Math.max(notes.length - maxNotes, 0)
  return { notes: notes.slice(0, maxNotes), ...(moreNotes > 0 && { moreNotes }) }
}

/** Bytes of JSON: a part is written in one transaction and copied between threads. */
const maxPartBytes = 16 * 1024 * 1024

export function fitsInMessage(part: ImportPart): boolean {
  return JSON.stringify(part).length <= maxPartBytes
}

/** Takes parts in order, at most `maxPartBytes` together: they are copied between threads. */
export class PartQueue {
  readonly #parts: AsyncIterator<ImportPart> | Iterator<ImportPart>
  #bufferedParts: ImportPart[] = []
  #firstIndex = 0

  constructor(parts: ReturnType<ImportPlan['parts']>) {
    this.#parts = Symbol.asyncIterator in parts ? parts[Symbol.asyncIterator]() : parts[Symbol.iterator]()
  }

  /** @param from not less than in the previous call */
  async slice(from: number, count: number): Promise<ImportPart[]> {
    const slice: ImportPart[] = []
    let size = 0
    for (let index = this.#firstIndex; slice.length < count; index += 1) {
      const part = this.#bufferedParts[index - this.#firstIndex] ?? (await this.#read())
      if (!part) break
      if (index < from) continue
      size += JSON.stringify(part).length
      if (size > maxPartBytes && slice.length > 0) break
      slice.push(part)
    }
    this.#bufferedParts.splice(0, from - this.#firstIndex)
    this.#firstIndex = from
    return slice
  }

  async end(): Promise<void> {
    await this.#parts.return?.()
  }

  async #read(): Promise<ImportPart | undefined> {
    const { value, done } = await this.#parts.next()
    if (done) return undefined
    this.#bufferedParts.push(value)
    return value
  }
}

export interface ImportOwner {
  jobId: string
  personId: string
  uploadedAt: number
  timezone: string
}
