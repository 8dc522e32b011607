import type { ImportPreview } from '#contract/keepers/transfer.ts'
import type { ArchivedEntity } from './archive-columns.ts'
import type { ArchivedEntry, ArchivedKeeper, ArchivedPath, ArchivedRun, ArchivedVersion } from './archive-format.ts'
import type { DayOneEntry, DayOneFile } from './day-one-format.ts'
import type { TopicSlice } from './slice-topics.ts'

// The contents of an archive as the worker thread passes them on: validated, with ids of this server, and cloneable.

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

export type ImportPart =
  | {
      kind: 'keeper'
      into: ImportTarget
      keeper: TopicSlice &
        Pick<ArchivedKeeper, 'title' | 'purpose' | 'keeperType' | 'memoryPattern' | 'theme' | 'createdAt' | 'updatedAt'>
    }
  | EntryPart
  | { kind: 'path'; into: ImportTarget; journeyId: string; position: number; path: ArchivedPath }
  | { kind: 'sole'; into: ImportTarget; version: ArchivedVersion; isWaiting: boolean }
  | { kind: 'run'; into: ImportTarget; position: number; run: ArchivedRun }
  | {
      kind: 'day-one'
      into: ImportTarget
      entry: Omit<DayOneEntry, 'text' | 'richText'>
      text: string
      files: DayOneFile[]
    }

/** The parts have a stable order, so that an import can resume. */
export interface ImportPlan {
  preview: ImportPreview
  parts: ImportPart[]
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

export const maxTitleLength = 120
const maxNotes = 8

export function limitNotes(notes: readonly string[], omitted = 0): Pick<ImportPreview, 'notes' | 'moreNotes'> {
  const more = omitted + Math.max(notes.length - maxNotes, 0)
  return { notes: notes.slice(0, maxNotes), ...(more > 0 && { moreNotes: more }) }
}

/** Bytes of JSON: a part is written in one transaction and copied between threads. */
const maxPartBytes = 16 * 1024 * 1024

export function fitsInMessage(part: ImportPart): boolean {
  return JSON.stringify(part).length <= maxPartBytes
}

export function sliceParts(parts: readonly ImportPart[], from: number, count: number): ImportPart[] {
  const slice: ImportPart[] = []
  let size = 0
  for (const part of parts.slice(from, from + count)) {
    size += JSON.stringify(part).length
    if (size > maxPartBytes && slice.length > 0) break
    slice.push(part)
  }
  return slice
}

export interface ImportOwner {
  jobId: string
  personId: string
}
