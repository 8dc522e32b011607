import * as z from 'zod/mini'
import { boundedRecord } from '../bounds.ts'
import { endpoint } from '../endpoint.ts'
import { clientId, id } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'
import { board, boardBodyKeys, boardConfig, boardName, mostFrames, newFrame } from './boards.ts'

export const boardFileFormat = 'keeper-board'
export const boardFileVersion = 1
/** A board with its pictures in it, as one body of JSON. */
export const boardFileLimit = 32 * 1024 * 1024
/** One that is read as it comes: as much without its pictures, and the 200 MB that a board may hold of them are 267 MB in base64. */
export const wholeBoardFileLimit = boardFileLimit + 267 * 1024 * 1024

const tooManyPictures = 'A board can have at most 1,000 pictures.'
/** A frame names itself, an agent and an entity at most. */
const entitiesPerFrame = 3
const short = z.string().check(z.maxLength(200))

/** What is in a board file, to be read before anything is made of it. */
export const boardManifest = z.object({
  exportedAt: short,
  name: shownLine.check(z.maxLength(1000)),
  frames: z.number(),
  /** How many of each type. */
  frameTypes: boundedRecord(short, z.number(), mostFrames, 'A board can have at most 1,000 frame types.'),
  pictures: z
    .array(z.object({ id: short, mime: short, bytes: z.number(), sha256: short }))
    .check(z.maxLength(mostFrames, tooManyPictures)),
  /** What its frames are about; only kinds and ids, which mean nothing to another Keeper. */
  entities: z
    .array(z.object({ frameId: short, kind: short, id: short }))
    .check(z.maxLength(entitiesPerFrame * mostFrames, 'The frames of a board name at most 3,000 things.')),
})
export type BoardManifest = z.infer<typeof boardManifest>

export const boardFile = z.object({
  format: z.literal(boardFileFormat, 'This isn’t a board exported from Keeper.'),
  version: z.literal(boardFileVersion, 'This board comes from a newer Keeper. Update this one first.'),
  manifest: boardManifest,
  board: z.object({
    config: boardConfig,
    frames: z.array(newFrame).check(z.maxLength(mostFrames, 'A board can have at most 1,000 frames.')),
  }),
  /** Bytes of the pictures in base64, by their id. */
  pictures: boundedRecord(short, z.string().check(z.maxLength(boardFileLimit)), mostFrames, tooManyPictures),
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
