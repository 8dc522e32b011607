import type { Selectable } from 'kysely'
import { type BoardFile, type BoardManifest, boardFileFormat, boardFileVersion } from '#contract/boards/board-files.ts'
import type { NewFrame } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { streamChunks } from '#server/http/stream-file.ts'
import { readWholeMedia } from '#server/media/media-store.ts'
import type { Services } from '#server/services.ts'
import { toOpenJsonObject } from '#server/values/open-json-object.ts'
import { type BoardRow, requireBoardRight } from '../board-access.ts'
import { type FrameRow, listFrames, toConfig, toNewFrame } from '../board-view.ts'
import { findEntityReferences, removeSessions } from '../references.ts'

/** A board as a streamed file with its visible pictures. @throws Problem 404 */
export async function exportBoardFile(services: Services, person: Pick<Person, 'id'>, id: string): Promise<Response> {
  const { board } = await requireBoardRight(services, person, id, 'view')
  const file = streamFile(services, await buildHead(services, board))
  return new Response(streamChunks(file), { headers: { ...apiHeaders, 'content-type': 'application/json' } })
}

export async function* streamBoardArchive(services: Services, board: BoardRow): AsyncGenerator<string> {
  yield* streamFile(services, await buildHead(services, board))
}

async function* streamFile(services: Services, { head, pictures }: FileHead): AsyncGenerator<string> {
  yield `${toOpenJsonObject(head)},\n  "pictures": {`
  for (const [index, picture] of pictures.entries())
    yield `${index > 0 ? ',' : ''}\n${JSON.stringify(picture.id)}: "${await readAsBase64(services, picture)}"`
  yield '}\n}\n'
}

interface FileHead {
  head: Omit<BoardFile, 'pictures'>
  pictures: FilePicture[]
}

async function buildHead(services: Services, board: BoardRow): Promise<FileHead> {
  const rows = await listFrames(services, board.id)
  const frames = rows.map(toFileFrame)
  const visiblePictures = await listVisiblePictures(services, board.id, rows)
  const pictures = visiblePictures.map(({ id, mime, bytes, sha256 }) => ({ id, mime, bytes, sha256 }))
  const head: FileHead['head'] = {
    format: boardFileFormat,
    version: boardFileVersion,
    manifest: buildManifest(services, board, frames, pictures),
    board: { config: toConfig(board), frames },
  }
  return { head, pictures }
}

async function readAsBase64({ media }: Services, { sha256 }: FilePicture): Promise<string> {
  return (await readWholeMedia(media, sha256)).toString('base64')
}

/** Chats and runs are left out: they belong to the person who had them. */
const toFileFrame = (row: FrameRow) => toNewFrame({ ...row, data: removeSessions(row.data) })

interface FilePicture {
  id: string
  mime: string
  bytes: number
  sha256: string
}

export async function listVisiblePictures(
  { db }: Services,
  boardId: string,
  rows: readonly FrameRow[],
): Promise<Selectable<Schema['board_pictures']>[]> {
  const visibleIds = new Set(rows.map(({ data }) => data.content.mediaId))
  const pictures = await db
    .selectFrom('board_pictures')
    .selectAll()
    .where('board_id', '=', boardId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return pictures.filter(({ id }) => visibleIds.has(id))
}

function buildManifest(
  services: Services,
  board: BoardRow,
  frames: readonly NewFrame[],
  pictures: FilePicture[],
): BoardManifest {
  const frameTypes: Record<string, number> = {}
  for (const { data } of frames) frameTypes[data.frameType] = (frameTypes[data.frameType] ?? 0) + 1
  return {
    exportedAt: services.now().toISOString(),
    name: board.name,
    frames: frames.length,
    frameTypes,
    pictures,
    entities: frames.flatMap((frame) =>
      findEntityReferences(frame).map(({ kind, id }) => ({ frameId: frame.id, kind, id })),
    ),
  }
}
