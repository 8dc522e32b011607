import * as z from 'zod/mini'
import { httpAddress } from '../bounds.ts'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { defineEntityEndpoint } from './entity-endpoint.ts'
import { trashRetentionMs } from './entries.ts'
import { id, pagedQuery } from './keeper-fields.ts'

/** Exports of other apps, in the order in which they are checked. */
export const foreignImportKinds = [
  'day-one',
  'chatgpt',
  'claude',
  'apple-journal',
  'journiv',
  'daylio',
  'diarium',
  'google-keep',
  'memos',
  'notion',
  'markdown',
] as const
export type ForeignImportKind = (typeof foreignImportKinds)[number]
export const importKinds = ['keeper-zip', ...foreignImportKinds] as const
export type ImportKind = (typeof importKinds)[number]
export const importStates = [
  'uploaded',
  'reading',
  'previewed',
  'running',
  'done',
  'failed',
  'cancelled',
  'undone',
] as const
export type ImportState = (typeof importStates)[number]
/** 20 GB, the default quota of a person, so that every export can be imported again. */
export const maxImportBytes = 20 * 1024 * 1024 * 1024
export const importUndoMs = trashRetentionMs
export const maxImportLabel = `${maxImportBytes / 1024 ** 3} GB`

export const importPreview = z.object({
  /** Keepers of a Keeper archive, or journals of Day One. */
  parts: z.array(z.object({ title: displayLine, entries: z.number() })),
  entries: z.number(),
  duplicates: z.number(),
  media: z.number(),
  missingMedia: z.number(),
  drafts: z.number(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  notes: z.array(z.string()),
  /** Number of notes beyond those in `notes`. */
  moreNotes: z.optional(z.number()),
})
export type ImportPreview = z.infer<typeof importPreview>

export const importJob = z.object({
  id: z.string(),
  kind: z.enum(importKinds),
  state: z.enum(importStates),
  fileName: displayLine,
  bytes: z.number(),
  keeperId: z.nullable(z.string()),
  preview: z.nullable(importPreview),
  total: z.number(),
  done: z.number(),
  error: z.nullable(z.string()),
  /** The time until which the import can be undone; `null` if there is nothing to undo. */
  undoableUntil: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type ImportJob = z.infer<typeof importJob>

const jobParams = z.object({ jobId: id })
const accessToken = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Paste an access token.'),
    z.maxLength(4000),
    z.regex(/^[\x21-\x7e]*$/, 'Paste the token alone, without spaces.'),
  )

export const transfer = {
  exportKeeper: defineEntityEndpoint('GET /api/keeper/keepers/:id/export', {
    summary: 'Export a keeper as a zip with Markdown, media and keeper.json, without deleted entries',
    response: z.unknown(),
  }),
  exportAll: defineEndpoint('GET /api/keeper/export', {
    summary: 'Export all your keepers as a zip',
    access: 'person',
    proof: 'recent',
    response: z.unknown(),
  }),
  upload: defineEndpoint('POST /api/keeper/imports', {
    summary: 'Upload a zip as the request body for a preview; nothing is imported yet',
    access: 'person',
    query: z.object({
      fileName: oneLine({ max: 255 }),
      keeperId: z.optional(id),
    }),
    upload: { contentTypes: ['application/zip', 'application/x-zip-compressed', 'application/octet-stream'] },
    maxBodyBytes: maxImportBytes,
    response: importJob,
  }),
  readMemos: defineEndpoint('POST /api/keeper/imports/memos', {
    summary:
      'Read your memos from a memos server for a preview; nothing is imported yet. Its host must be in KEEPER_FETCH_HOSTS or KEEPER_IMPORT_HOSTS. The token is used once and never stored',
    access: 'person',
    body: z.object({ address: httpAddress, token: accessToken }),
    response: importJob,
  }),
  list: defineEndpoint('GET /api/keeper/imports', {
    summary: 'List your imports, newest first; 100 per page',
    access: 'person',
    query: pagedQuery,
    response: z.array(importJob),
  }),
  show: defineEndpoint('GET /api/keeper/imports/:jobId', {
    summary: 'Get an import with its preview or progress',
    access: 'person',
    params: jobParams,
    response: importJob,
  }),
  chooseKeeper: defineEndpoint('PUT /api/keeper/imports/:jobId/keeper', {
    summary:
      'Choose the target keeper of a Day One import; the import is previewed again without entries this keeper already has',
    access: 'person',
    params: jobParams,
    body: z.object({ keeperId: id }),
    response: importJob,
  }),
  begin: defineEndpoint('POST /api/keeper/imports/:jobId/begin', {
    summary: 'Start a previewed import, or resume an interrupted one',
    access: 'person',
    params: jobParams,
    body: z.object({
      keeperId: z.optional(id),
    }),
    response: importJob,
  }),
  cancel: defineEndpoint('DELETE /api/keeper/imports/:jobId', {
    summary: 'Stop an import and delete its file; imported entries stay',
    access: 'person',
    params: jobParams,
    response: importJob,
  }),
  undo: defineEndpoint('POST /api/keeper/imports/:jobId/undo', {
    summary: 'Undo an import within 30 days: move what it created to the trash, except entries changed since',
    access: 'person',
    params: jobParams,
    response: importJob,
  }),
}
