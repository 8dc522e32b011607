import type { ImportPreview } from '#contract/keepers/transfer.ts'
import type { Write } from '#server/db/database.ts'

/** One part of an import: its writes come in together with the note that it is done. */
export interface ImportPart {
  /** What has to be written for it. Files are unpacked here, before anything is written. */
  writes(): Promise<Write[]>
}

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

export interface ImportFor {
  jobId: string
  personId: string
}
