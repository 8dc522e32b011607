import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { id, keeperParams, pagedQuery } from './keeper-words.ts'

export const importKinds = ['keeper-zip', 'day-one'] as const
export type ImportKind = (typeof importKinds)[number]
export const importStates = ['uploaded', 'reading', 'previewed', 'running', 'done', 'failed', 'cancelled'] as const
export type ImportState = (typeof importStates)[number]
/** 20 GB, as much as one person may keep where the settings say nothing else: what was taken out comes in again. */
export const mostImportBytes = 20 * 1024 * 1024 * 1024
export const mostImportInWords = `${mostImportBytes / 1024 ** 3} GB`

export const importPreview = z.object({
  /** Of a Keeper archive: each keeper in it; of Day One: its journals. */
  parts: z.array(z.object({ title: shownLine, entries: z.number() })),
  entries: z.number(),
  /** Here already, and skipped. */
  duplicates: z.number(),
  media: z.number(),
  missingMedia: z.number(),
  /** Memories an AI wrote: they arrive as drafts. */
  drafts: z.number(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** What will be left out or read differently, in words. */
  notes: z.array(z.string()),
  /** How many more there are than those. */
  moreNotes: z.optional(z.number()),
})
export type ImportPreview = z.infer<typeof importPreview>

export const importJob = z.object({
  id: z.string(),
  kind: z.enum(importKinds),
  state: z.enum(importStates),
  fileName: shownLine,
  bytes: z.number(),
  keeperId: z.nullable(z.string()),
  preview: z.nullable(importPreview),
  total: z.number(),
  done: z.number(),
  error: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type ImportJob = z.infer<typeof importJob>

const jobParams = z.object({ jobId: id })

export const transfer = {
  exportKeeper: endpoint('GET /api/keeper/keepers/:id/export', {
    summary: 'One keeper as a zip: Markdown, media and keeper.json, without what lies in the bin',
    access: 'person',
    params: keeperParams,
    returns: z.unknown(),
  }),
  exportAll: endpoint('GET /api/keeper/export', {
    summary: 'All one’s keepers as a zip',
    access: 'person',
    returns: z.unknown(),
  }),
  upload: endpoint('POST /api/keeper/imports', {
    summary: 'Upload a zip to be looked at; the body is the bytes. Nothing is imported yet',
    access: 'person',
    query: z.object({
      fileName: oneLine({ max: 255 }),
      /** Of Day One: the keeper it goes into. */
      keeperId: z.optional(id),
    }),
    takes: { mime: ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'] },
    bodyLimit: mostImportBytes,
    returns: importJob,
  }),
  list: endpoint('GET /api/keeper/imports', {
    summary: 'One’s imports, newest first; 100 at once',
    access: 'person',
    query: pagedQuery,
    returns: z.array(importJob),
  }),
  show: endpoint('GET /api/keeper/imports/:jobId', {
    summary: 'One import: its preview, or how far it is',
    access: 'person',
    params: jobParams,
    returns: importJob,
  }),
  chooseKeeper: endpoint('PUT /api/keeper/imports/:jobId/keeper', {
    summary: 'Say into which keeper a Day One import goes: it is looked at again, and what that keeper has is left out',
    access: 'person',
    params: jobParams,
    body: z.object({ keeperId: id }),
    returns: importJob,
  }),
  begin: endpoint('POST /api/keeper/imports/:jobId/begin', {
    summary: 'Begin an import that was looked at, or go on with one that was interrupted',
    access: 'person',
    params: jobParams,
    body: z.object({
      /** Of Day One: the keeper it goes into, where the upload did not say. */
      keeperId: z.optional(id),
    }),
    returns: importJob,
  }),
  cancel: endpoint('DELETE /api/keeper/imports/:jobId', {
    summary: 'Stop an import and delete its file; what came in stays',
    access: 'person',
    params: jobParams,
    returns: importJob,
  }),
}
