import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { clientId, id } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'
import { board, boardBodyKeys, boardConfig, boardName, newFrame } from './boards.ts'

export const boardFileFormat = 'keeper-board'
export const boardFileVersion = 1
/** A board with its pictures in it, as one body of JSON. */
export const boardFileLimit = 32 * 1024 * 1024
/** One that is read as it comes: as much without its pictures, and the 200 MB that a board may hold of them are 267 MB in base64. */
export const wholeBoardFileLimit = boardFileLimit + 267 * 1024 * 1024

/** What is in a board file, to be read before anything is made of it. */
export const boardManifest = z.object({
  exportedAt: z.string(),
  name: shownLine,
  frames: z.number(),
  /** How many of each type. */
  frameTypes: z.record(z.string(), z.number()),
  pictures: z.array(z.object({ id: z.string(), mime: z.string(), bytes: z.number(), sha256: z.string() })),
  /** What its frames are about; only kinds and ids, which mean nothing to another Keeper. */
  entities: z.array(z.object({ frameId: z.string(), kind: z.string(), id: z.string() })),
})
export type BoardManifest = z.infer<typeof boardManifest>

export const boardFile = z.object({
  format: z.literal(boardFileFormat, 'This is no board that Keeper exported.'),
  version: z.literal(boardFileVersion, 'This board comes from a newer Keeper. Update this one first.'),
  manifest: boardManifest,
  board: z.object({
    config: boardConfig,
    frames: z.array(newFrame).check(z.maxLength(1000, 'A board holds at most 1,000 frames.')),
  }),
  /** Bytes of the pictures in base64, by their id. */
  pictures: z.record(z.string(), z.string()),
})
export type BoardFile = z.infer<typeof boardFile>

export const boardImport = z.object({
  name: shownLine,
  frames: z.number(),
  pictures: z.number(),
  /** Types that no frame here can show; they are kept and say so. */
  unsupported: z.array(z.string()),
  /** Frames whose entity is not here, or not the caller’s; they come without it. */
  unlinked: z.array(z.object({ frameId: z.string(), kind: z.string() })),
  /** The board that was made; `null` in a preview. */
  board: z.nullable(board),
})
export type BoardImport = z.infer<typeof boardImport>

export const boardFiles = {
  exportFile: endpoint('GET /api/boards/:id/file', {
    summary:
      'A board as one JSON file with a manifest and its pictures, sent as it is written; chats and runs stay here',
    access: 'person',
    params: z.object({ id }),
    returns: boardFile,
    answer: 'bare',
  }),
  duplicate: endpoint('POST /api/boards/:id/duplicate', {
    summary: 'Make a board of one’s own of one that one may open, with all its pictures; chats and runs stay there',
    access: 'person',
    params: z.object({ id }),
    body: z.object({ id: z.optional(clientId), name: z.optional(boardName) }),
    returns: board,
    answer: 'bare',
    creates: true,
  }),
  importFile: endpoint('POST /api/boards/import', {
    summary: 'Make a board of a file of at most 32 MB; with `preview` only say what it would be',
    access: 'person',
    body: z.object({ preview: z.optional(z.boolean()), domainId: z.optional(id), file: boardFile }),
    bodyLimit: boardFileLimit,
    bodyKeys: boardBodyKeys,
    returns: boardImport,
    creates: true,
  }),
  importWhole: endpoint('POST /api/boards/import/file', {
    summary: 'The same with a file of any size: the body is the file, which is read as it comes',
    access: 'person',
    query: z.object({
      preview: z.optional(z.literal('true')),
      domainId: z.optional(id),
      /** Of the board that is made, so that a file that is sent twice makes one. */
      id: z.optional(clientId),
    }),
    takes: { mime: ['application/json'] },
    bodyLimit: wholeBoardFileLimit,
    returns: z.extend(boardImport, { manifest: boardManifest }),
  }),
}
