import { crc32 } from 'node:zlib'
import type { MediaStore } from '#server/media/media-store.ts'
import { type Piece, sizeOfPieces } from '#server/media/send-media.ts'

type Bytes = Pick<MediaStore, 'size' | 'read'>

const windowBytes = 128 * 1024
/** More parts than any camera or program writes; later ones are not sent. */
const maxParts = 20_000
/** Byte ranges per response, each of which is a separate read. Programs write metadata in few places. */
const maxPieces = 300
/** Bytes that identify the application of a segment. */
const signBytes = 16

/**
 * Ranges of a picture without camera and program metadata (location, time, device, embedded film); of the EXIF only the
 * orientation stays. Ends where a broken file becomes unreadable.
 * @returns empty for a missing file; undefined for a type that is sent unchanged
 */
export async function withoutMetadata(store: Bytes, sha256: string, mime: string): Promise<Piece[] | undefined> {
  const piecesOf = piecesOfType[mime]
  if (!piecesOf) return undefined
  const size = await store.size(sha256)
  return size === undefined ? [] : await piecesOf(windowOn(store, sha256, size))
}

interface Window {
  size: number
  /** Buffered bytes from an offset: `minBytes` (up to `windowBytes`) or more, fewer at the end of the file. */
  from: (at: number, least: number) => Promise<Buffer>
}

function windowOn(store: Bytes, sha256: string, size: number): Window {
  let start = 0
  let held = Buffer.alloc(0)
  return {
    size,
    async from(at, least) {
      const wanted = Math.min(least, windowBytes, size - at)
      if (at < start || at + wanted > start + held.length) {
        const pieces: Buffer[] = []
        for await (const piece of store.read(sha256, at, Math.min(at + windowBytes, size))) pieces.push(piece)
        start = at
        held = Buffer.concat(pieces)
      }
      return held.subarray(at - start)
    },
  }
}

const piecesOfType: Record<string, (file: Window) => Promise<Piece[]>> = {
  'image/jpeg': piecesOfJpeg,
  'image/png': piecesOfPng,
  'image/webp': piecesOfWebp,
}

const jpeg = { app0: 0xe0, app1: 0xe1, app2: 0xe2, app14: 0xee, app15: 0xef, comment: 0xfe, scan: 0xda, end: 0xd9 }

async function piecesOfJpeg(file: Window): Promise<Piece[]> {
  const pieces: Piece[] = []
  addStretch(pieces, { start: 0, end: 2 })
  let at = 2
  let isInScan = false
  let hasExif = false
  for (let parts = 0; parts < maxParts && pieces.length < maxPieces; parts++) {
    const marker = await nextMarker(file, at)
    if (isInScan) addStretch(pieces, { start: at, end: marker?.start ?? file.size })
    if (!marker) break
    const { start, code } = marker
    if (code === jpeg.end) {
      addStretch(pieces, { start, end: start + 2 })
      break
    }
    const head = await file.from(start, 4 + signBytes)
    if (head.length < 4 || head.readUInt16BE(2) < 2) break
    at = start + 2 + head.readUInt16BE(2)
    const sign = head.subarray(4, Math.min(4 + signBytes, at - start))
    if (keepsSegment(code, sign)) addStretch(pieces, { start, end: at })
    else if (code === jpeg.app1 && isText(sign, 'Exif\0\0') && !hasExif) {
      hasExif = true
      const exif = orientationAlone((await file.from(start, at - start)).subarray(10, at - start))
      if (exif) pieces.push(segment(jpeg.app1, Buffer.concat([Buffer.from('Exif\0\0'), exif])))
    }
    isInScan = code === jpeg.scan
  }
  return withinFile(pieces, file)
}

/** The next marker that starts a segment or ends the picture; a 0xff within a scan is none. */
async function nextMarker(file: Window, from: number): Promise<{ start: number; code: number } | undefined> {
  for (let at = from; at + 1 < file.size; ) {
    const bytes = await file.from(at, 2)
    if (bytes.length < 2) return undefined
    for (let index = bytes.indexOf(0xff); index !== -1; index = bytes.indexOf(0xff, index + 1)) {
      const code = bytes[index + 1]
      if (code !== undefined && code > 0x01 && code !== 0xff && !(code >= 0xd0 && code <= 0xd8))
        return { start: at + index, code }
    }
    at += bytes.length - 1
  }
  return undefined
}

/** Keeps density, color profile and Adobe's color encoding of the application segments. */
function keepsSegment(code: number, sign: Buffer): boolean {
  if (code === jpeg.app0) return isText(sign, 'JFIF\0')
  if (code === jpeg.app2) return isText(sign, 'ICC_PROFILE\0')
  if (code === jpeg.app14) return isText(sign, 'Adobe')
  return !(code >= jpeg.app0 && code <= jpeg.app15) && code !== jpeg.comment
}

function segment(code: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Ancillary chunks that affect the appearance. */
const pngLooks = new Set('tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs hIST sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '))

async function piecesOfPng(file: Window): Promise<Piece[]> {
  const pieces: Piece[] = []
  addStretch(pieces, { start: 0, end: 8 })
  let at = 8
  let hasExif = false
  for (let parts = 0; parts < maxParts && pieces.length < maxPieces && at + 8 <= file.size; parts++) {
    const head = await file.from(at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    if (!/^[A-Za-z]{4}$/.test(type)) break
    const end = at + 12 + length
    if (/^[A-Z]/.test(type) || pngLooks.has(type)) addStretch(pieces, { start: at, end })
    else if (type === 'eXIf' && !hasExif) {
      hasExif = true
      const exif = orientationAlone((await file.from(at, 8 + length)).subarray(8, 8 + length))
      if (exif) pieces.push(pngChunk('eXIf', exif))
    }
    if (type === 'IEND') break
    at = end
  }
  return withinFile(pieces, file)
}

function pngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length)
  chunk.writeUInt32BE(body.length, 0)
  chunk.write(type, 4, 'latin1')
  body.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length)
  return chunk
}

const webpLooks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** `VP8X` flags for EXIF and XMP chunks. */
const webpFlags = { exif: 0x08, xmp: 0x04 }

async function piecesOfWebp(file: Window): Promise<Piece[]> {
  const pieces: Piece[] = []
  let extended: Buffer | undefined
  let exif: Buffer | undefined
  let hasExif = false
  let at = 12
  for (let parts = 0; parts < maxParts && pieces.length < maxPieces && at + 8 <= file.size; parts++) {
    const head = await file.from(at, 18)
    const type = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    const end = at + 8 + length + (length % 2)
    if (type === 'VP8X' && !extended && length === 10 && head.length >= 18) {
      extended = Buffer.from(head.subarray(0, 18))
      pieces.push(extended)
    } else if (webpLooks.has(type)) addStretch(pieces, { start: at, end })
    else if (type === 'EXIF' && extended && !hasExif) {
      hasExif = true
      const body = (await file.from(at, 8 + length)).subarray(8, 8 + length)
      exif = orientationAlone(isText(body, 'Exif\0\0') ? body.subarray(6) : body)
      if (exif) pieces.push(webpChunk('EXIF', exif))
    }
    at = end
  }
  if (extended) {
    const without = extended.readUInt8(8) & ~(webpFlags.exif | webpFlags.xmp)
    extended.writeUInt8(without | (exif ? webpFlags.exif : 0), 8)
  }
  const body = withinFile(pieces, file)
  const head = webpChunk('RIFF', Buffer.from('WEBP'))
  head.writeUInt32LE(4 + sizeOfPieces(body), 4)
  return [head, ...body]
}

/** `body` must have an even length. */
function webpChunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const orientationTag = 0x0112
const shortType = 3

/** EXIF (without its signature) with the orientation alone; undefined when upright. */
function orientationAlone(tiff: Buffer): Buffer | undefined {
  const orientation = orientationOf(tiff)
  if (orientation < 2 || orientation > 8) return undefined
  const alone = Buffer.alloc(26)
  alone.write('MM\0*', 0, 'latin1')
  alone.writeUInt32BE(8, 4)
  alone.writeUInt16BE(1, 8)
  alone.writeUInt16BE(orientationTag, 10)
  alone.writeUInt16BE(shortType, 12)
  alone.writeUInt32BE(1, 14)
  alone.writeUInt16BE(orientation, 18)
  return alone
}

/** 1 to 8 as in EXIF; 1, upright, by default. */
function orientationOf(tiff: Buffer): number {
  const isLittle = isText(tiff, 'II')
  if (tiff.length < 8 || !(isLittle || isText(tiff, 'MM'))) return 1
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  for (let index = 0, at = directory + 2; index < short(directory) && at + 12 <= tiff.length; index++, at += 12)
    if (short(at) === orientationTag && short(at + 2) === shortType) return short(at + 8)
  return 1
}

function isText(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

/** Clips ranges of a truncated file. */
function withinFile(pieces: readonly Piece[], { size }: Window): Piece[] {
  return pieces.flatMap((piece): Piece[] => {
    if (Buffer.isBuffer(piece)) return [piece]
    const end = Math.min(piece.end, size)
    return piece.start < end ? [{ start: piece.start, end }] : []
  })
}

function addStretch(pieces: Piece[], stretch: { start: number; end: number }): void {
  const last = pieces.at(-1)
  if (last && !Buffer.isBuffer(last) && last.end === stretch.start) last.end = stretch.end
  else pieces.push(stretch)
}
