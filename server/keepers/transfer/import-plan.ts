import type { ImportPreview } from '#contract/keepers/transfer.ts'
import type { ArchivedEntity } from './archive-columns.ts'
import type { ArchivedEntry, ArchivedKeeper, ArchivedPath, ArchivedRun, ArchivedVersion } from './archive-format.ts'
import type { DayOneEntry, DayOneFile } from './day-one-format.ts'
import type { TopicSlice } from './slice-topics.ts'

/*
 * What an archive holds, as the thread that reads it hands it over: checked, with the ids things get here, and plain
 * enough to go from one thread to another.
 */

/** Whose keeper something goes into. */
export interface Into {
  id: string
  owner_id: string
}

/** The checked columns of an archived entry. */
export type ReadEntry = Record<string, unknown>

export interface EntryPart {
  kind: 'entry'
  keeper: Into
  entity: ArchivedEntity
  id: string
  entry: Pick<ArchivedEntry, 'id' | 'source' | 'createdAt' | 'updatedAt' | 'media'>
  columns: ReadEntry
  topicIds: string[]
}

/** One part of an import: what is written of it comes in together with the note that it is done. */
export type ImportPart =
  | {
      kind: 'keeper'
      into: Into
      /** Several parts have the same keeper, each with some of its topics. */
      keeper: TopicSlice &
        Pick<ArchivedKeeper, 'title' | 'purpose' | 'keeperType' | 'memoryPattern' | 'theme' | 'createdAt' | 'updatedAt'>
    }
  | EntryPart
  /** Waypoints name moments by their ids here. */
  | { kind: 'path'; into: Into; journeyId: string; position: number; path: ArchivedPath }
  /** Statements name their sources by their ids here. */
  | { kind: 'sole'; into: Into; version: ArchivedVersion; isWaiting: boolean }
  | { kind: 'run'; into: Into; position: number; run: ArchivedRun }
  | { kind: 'day-one'; into: Into; entry: Omit<DayOneEntry, 'text' | 'richText'>; words: string; files: DayOneFile[] }

/** An archive, looked at: what it holds, and the parts that bring it in, in an order that is the same each time. */
export interface ImportPlan {
  preview: ImportPreview
  parts: ImportPart[]
  /** Keepers that get something, for what has to be made anew afterwards. */
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

/** As much of a name as is kept or told. */
export const longestTitle = 120
/** Of the first ones only, so that a preview stays readable. */
const mostNotes = 8

/** The first of these notes, and how many more there are, with those that were left out before. */
export function shortNotes(notes: readonly string[], before = 0): Pick<ImportPreview, 'notes' | 'moreNotes'> {
  const more = before + Math.max(notes.length - mostNotes, 0)
  return { notes: notes.slice(0, mostNotes), ...(more > 0 && { moreNotes: more }) }
}

/** Bytes of JSON; a part is written at once, and goes from one thread to another. */
const largestPart = 16 * 1024 * 1024

export function fitsAtOnce(part: ImportPart): boolean {
  return JSON.stringify(part).length <= largestPart
}

/** As many parts as go from one thread to another at once; at least one, if there is one. */
export function partsUpTo(parts: readonly ImportPart[], from: number, count: number): ImportPart[] {
  const together: ImportPart[] = []
  let size = 0
  for (const part of parts.slice(from, from + count)) {
    size += JSON.stringify(part).length
    if (size > largestPart && together.length > 0) break
    together.push(part)
  }
  return together
}

/** Whose job an import is. */
export interface ImportFor {
  jobId: string
  personId: string
}
