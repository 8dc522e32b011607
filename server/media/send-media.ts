import { apiHeaders } from '#server/http/security-headers.ts'
import type { MediaStore } from './media-store.ts'

/** Bytes to send: a range of the file (`end` exclusive), or replacement bytes. */
export type Piece = Buffer | { start: number; end: number }

export interface MediaWanted {
  sha256: string
  mime: string
  filename: string
  range: string | null
  /** Segments to send in order; absent: the whole file. */
  pieces?: readonly Piece[] | undefined
}

/** Streams the bytes or the requested range; undefined if the file is missing. */
export async function sendMedia(store: MediaStore, wanted: MediaWanted): Promise<Response | undefined> {
  const kept = await store.size(wanted.sha256)
  if (kept === undefined) return undefined
  const pieces = wanted.pieces ?? [{ start: 0, end: kept }]
  const size = sizeOfPieces(pieces)
  const range = rangeOf(wanted.range, size)
  const headers: Record<string, string> = {
    ...apiHeaders,
    'content-type': wanted.mime,
    'content-disposition': `attachment; filename="${wanted.filename}"`,
    'accept-ranges': 'bytes',
  }
  if (range === 'none-of-it')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  headers['content-length'] = String(end - start + 1)
  if (range) headers['content-range'] = `bytes ${start}-${end}/${size}`
  return new Response(streamOf(readPieces(store, wanted.sha256, stretchOf(pieces, start, end + 1))), {
    status: range ? 206 : 200,
    headers,
  })
}

export function sizeOfPieces(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
}

function sizeOf(piece: Piece): number {
  return Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start
}

/** The part of the segments between two offsets (`end` exclusive). */
function stretchOf(pieces: readonly Piece[], start: number, end: number): Piece[] {
  let before = 0
  return pieces.flatMap((piece): Piece[] => {
    const from = Math.max(start - before, 0)
    const to = Math.min(end - before, sizeOf(piece))
    before += sizeOf(piece)
    if (from >= to) return []
    return [Buffer.isBuffer(piece) ? piece.subarray(from, to) : { start: piece.start + from, end: piece.start + to }]
  })
}

export async function* readPieces(store: MediaStore, sha256: string, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces)
    if (Buffer.isBuffer(piece)) yield piece
    else yield* store.read(sha256, piece.start, piece.end)
}

/** Opens nothing before the first read, so an unread response leaves nothing open. */
function streamOf(chunks: AsyncGenerator<Buffer>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** First and last byte of a single range; undefined for the whole file and for invalid headers. */
export function rangeOf(
  header: string | null,
  size: number,
): { start: number; end: number } | 'none-of-it' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none-of-it' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'none-of-it' : { start, end }
}
