import { apiHeaders } from '#server/http/security-headers.ts'
import { streamChunks } from '#server/http/stream-file.ts'
import type { MediaStore } from './media-store.ts'

export type MediaSegment = Buffer | { start: number; end: number }

export interface MediaRequest {
  sha256: string
  mime: string
  filename: string
  range: string | null
  segments?: readonly MediaSegment[] | undefined
}

export async function sendMedia(store: MediaStore, request: MediaRequest): Promise<Response | undefined> {
  const storedSize = await store.getSize(request.sha256)
  if (storedSize === undefined) return undefined
  const segments = request.segments ?? [{ start: 0, end: storedSize }]
  const size = sumSegments(segments)
  const range = parseRange(request.range, size)
  const headers: Record<string, string> = {
    ...apiHeaders,
    'content-type': request.mime,
    'content-disposition': `attachment; filename="${request.filename}"`,
    'accept-ranges': 'bytes',
  }
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  headers['content-length'] = String(end - start + 1)
  if (range) headers['content-range'] = `bytes ${start}-${end}/${size}`
  return new Response(streamChunks(readSegments(store, request.sha256, sliceSegments(segments, start, end + 1))), {
    status: range ? 206 : 200,
    headers,
  })
}

export function sumSegments(segments: readonly MediaSegment[]): number {
  return segments.reduce((total, segment) => total + getSegmentSize(segment), 0)
}

function getSegmentSize(segment: MediaSegment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start
}

function sliceSegments(segments: readonly MediaSegment[], start: number, end: number): MediaSegment[] {
  let offset = 0
  return segments.flatMap((segment): MediaSegment[] => {
    const from = Math.max(start - offset, 0)
    const to = Math.min(end - offset, getSegmentSize(segment))
    offset += getSegmentSize(segment)
    if (from >= to) return []
    return [
      Buffer.isBuffer(segment) ? segment.subarray(from, to) : { start: segment.start + from, end: segment.start + to },
    ]
  })
}

export async function* readSegments(
  store: MediaStore,
  sha256: string,
  segments: readonly MediaSegment[],
): AsyncGenerator<Buffer> {
  for (const segment of segments)
    if (Buffer.isBuffer(segment)) yield segment
    else yield* store.read(sha256, segment.start, segment.end)
}

export function parseRange(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
