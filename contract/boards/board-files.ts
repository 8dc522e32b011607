import * as z from 'zod/mini'
import { boundedRecord, maxJsonLength } from '../bounds.ts'
import { defineEndpoint } from '../endpoint.ts'
import { clientId, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { board, boardBodyKeys, boardConfig, boardName, maxFrames, newFrame } from './boards.ts'

export const boardFileFormat = 'keeper-board'
export const boardFileVersion = 1
export const maxBoardFileBytes = 32 * 1024 * 1024
/** Max bytes of a streamed file: a board plus 200 MB of pictures, which are 267 MB in base64. */
export const maxStreamedBoardFileBytes = maxBoardFileBytes + 267 * 1024 * 1024

const tooManyPicturesMessage = 'A board can have at most 1,000 pictures.'
const maxEntitiesPerFrame = 3
const shortText = z.string().check(z.maxLength(200))

export const boardManifest = z.object({
  exportedAt: shortText,
  name: displayLine.check(z.maxLength(1000)),
  frames: z.number(),
  frameTypes: boundedRecord(shortText, z.number(), maxFrames, 'A board can have at most 1,000 frame types.'),
  pictures: z
    .array(z.object({ id: shortText, mime: shortText, bytes: z.number(), sha256: shortText }))
    .check(z.maxLength(maxFrames, tooManyPicturesMessage)),
  /** Kinds and IDs of referenced entities; the IDs mean nothing on another server. */
  entities: z
    .array(z.object({ frameId: shortText, kind: shortText, id: shortText }))
    .check(
      z.maxLength(
        maxEntitiesPerFrame * maxFrames,
        'A board’s frames can refer to at most 3,000 entries, agents and other items.',
      ),
    ),
})
export type BoardManifest = z.infer<typeof boardManifest>

export const boardFile = z.object({
  format: z.literal(boardFileFormat, 'This isn’t a board exported from Keeper.'),
  version: z.literal(boardFileVersion, 'This board comes from a newer version of Keeper. Update this server first.'),
  manifest: boardManifest,
  board: z.object({
    config: boardConfig,
    frames: z.array(newFrame).check(z.maxLength(maxFrames, 'A board can have at most 1,000 frames.')),
  }),
  pictures: boundedRecord(
    shortText,
    z.string().check(z.maxLength(maxBoardFileBytes)),
    maxFrames,
    tooManyPicturesMessage,
  ),
})
export type BoardFile = z.infer<typeof boardFile>

/** Accepts any frames and settings: the import reads each field, and leaves out and counts unusable values. */
export const boardFileToImport = z.extend(boardFile, {
  board: z.object({
    config: z.unknown().check(maxJsonLength(100_000)),
    frames: z
      .array(z.unknown().check(maxJsonLength(1_000_000)))
      .check(z.maxLength(maxFrames, 'A board can have at most 1,000 frames.')),
  }),
})
export type BoardFileToImport = z.infer<typeof boardFileToImport>

export const boardImport = z.object({
  name: displayLine,
  frames: z.number(),
  pictures: z.number(),
  unsupported: z.array(z.string()),
  /** Frames with values that can't be read, which are left out. */
  repaired: z.number(),
  /** Frames that can't be read. */
  leftOut: z.number(),
  /** Frames imported without their entity, because it is missing or not the caller's. */
  unlinked: z.array(z.object({ frameId: z.string(), kind: z.string() })),
  board: z.nullable(board),
})
export type BoardImport = z.infer<typeof boardImport>

export const boardFiles = {
  exportFile: defineEndpoint('GET /api/boards/:id/file', {
    summary: 'Export a board as one JSON file with a manifest and its pictures, without chats or runs',
    access: 'person',
    params: z.object({ id }),
    response: boardFile,
    responseFormat: 'bare',
  }),
  duplicate: defineEndpoint('POST /api/boards/:id/duplicate', {
    summary: 'Duplicate a board you can open, with its pictures but without chats or runs',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ id: z.optional(clientId), name: z.optional(boardName) }),
    response: board,
    responseFormat: 'bare',
    supportsIdempotencyKey: true,
  }),
  importFile: defineEndpoint('POST /api/boards/import', {
    summary: 'Create a board from a file of at most 32 MB; with `preview`, only describe the file',
    access: 'person',
    body: z.object({ preview: z.optional(z.boolean()), domainId: z.optional(id), file: boardFileToImport }),
    maxBodyBytes: maxBoardFileBytes,
    maxBodyKeys: boardBodyKeys,
    response: boardImport,
    supportsIdempotencyKey: true,
  }),
  importWhole: defineEndpoint('POST /api/boards/import/file', {
    summary: 'Create a board from a file of any size, streamed as the request body',
    access: 'person',
    query: z.object({
      preview: z.optional(z.literal('true')),
      domainId: z.optional(id),
      id: z.optional(clientId),
    }),
    upload: { contentTypes: ['application/json'] },
    maxBodyBytes: maxStreamedBoardFileBytes,
    response: z.extend(boardImport, { manifest: boardManifest }),
  }),
}
