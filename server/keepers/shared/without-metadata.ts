import { crc32 } from 'node:zlib'
import type { MediaStore } from '#server/media/media-store.ts'
import { type MediaSegment, sumSegments } from '#server/media/send-media.ts'

type ByteStore = Pick<MediaStore, 'getSize' | 'read'>

const windowBytes = 128 * 1024
/** More parts than any camera or program writes; later ones are not sent. */
const maxParts = 20_000
/** Byte ranges per response, each of which is a separate read. Programs write metadata in few places. */
const maxChunks = 300
const signatureBytes = 16

/** Removes location, time, device and embedded film; of the EXIF only the orientation stays. Ends where a broken file
 * becomes unreadable. @returns empty for a missing file; undefined for a type that is sent unchanged */
export async function removeMetadata(
  store: ByteStore,
  sha256: string,
  mime: string,
): Promise<MediaSegment[] | undefined> {
  const readChunks = chunkReaders[mime]
  if (!readChunks) return undefined
  const size = await store.getSize(sha256)
  return size === undefined ? [] : await readChunks(openWindow(store, sha256, size))
}

interface FileWindow {
  size: number
  /** Buffered bytes from an offset: `minBytes` (up to `windowBytes`) or more, fewer at the end of the file. */
  readFrom: (offset: number, minBytes: number) => Promise<Buffer>
}

function openWindow(store: ByteStore, sha256: string, size: number): FileWindow {
  let start = 0
  let buffered = Buffer.alloc(0)
  return {
    size,
    async readFrom(offset, minBytes) {
      const requestedBytes = Math.min(minBytes, windowBytes, size - offset)
      if (offset < start || offset + requestedBytes > start + buffered.length) {
        const chunks: Buffer[] = []
        for await (const chunk of store.read(sha256, offset, Math.min(offset + windowBytes, size))) chunks.push(chunk)
        start = offset
        buffered = Buffer.concat(chunks)
      }
      return buffered.subarray(offset - start)
    },
  }
}

const chunkReaders: Record<string, (file: FileWindow) => Promise<MediaSegment[]>> = {
  'image/jpeg': readJpegChunks,
  'image/png': readPngChunks,
  'image/webp': readWebpChunks,
}

const jpegMarkers = {
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  app15: 0xef,
  comment: 0xfe,
  scan: 0xda,
  end: 0xd9,
}

async function readJpegChunks(file: FileWindow): Promise<MediaSegment[]> {
  const chunks: MediaSegment[] = []
  addRange(chunks, { start: 0, end: 2 })
  let offset = 2
  let isInScan = false
  let hasExif = false
  for (let partCount = 0; partCount < maxParts && chunks.length < maxChunks; partCount++) {
    const marker = await findNextMarker(file, offset)
    if (isInScan) addRange(chunks, { start: offset, end: marker?.start ?? file.size })
    if (!marker) break
    const { start, code } = marker
    if (code === jpegMarkers.end) {
      addRange(chunks, { start, end: start + 2 })
      break
    }
    const header = await file.readFrom(start, 4 + signatureBytes)
    if (header.length < 4 || header.readUInt16BE(2) < 2) break
    offset = start + 2 + header.readUInt16BE(2)
    const signature = header.subarray(4, Math.min(4 + signatureBytes, offset - start))
    if (isVisibleSegment(code, signature)) addRange(chunks, { start, end: offset })
    else if (code === jpegMarkers.app1 && isText(signature, 'Exif\0\0') && !hasExif) {
      hasExif = true
      const exif = createOrientationExif((await file.readFrom(start, offset - start)).subarray(10, offset - start))
      if (exif) chunks.push(createJpegSegment(jpegMarkers.app1, Buffer.concat([Buffer.from('Exif\0\0'), exif])))
    }
    isInScan = code === jpegMarkers.scan
  }
  return clipToFile(chunks, file)
}

/** The next marker that starts a segment or ends the picture; a 0xff within a scan is none. */
async function findNextMarker(file: FileWindow, from: number): Promise<{ start: number; code: number } | undefined> {
  for (let offset = from; offset + 1 < file.size; ) {
    const bytes = await file.readFrom(offset, 2)
    if (bytes.length < 2) return undefined
    for (let index = bytes.indexOf(0xff); index !== -1; index = bytes.indexOf(0xff, index + 1)) {
      const code = bytes[index + 1]
      if (code !== undefined && code > 0x01 && code !== 0xff && !(code >= 0xd0 && code <= 0xd8))
        return { start: offset + index, code }
    }
    offset += bytes.length - 1
  }
  return undefined
}

function isVisibleSegment(code: number, signature: Buffer): boolean {
  if (code === jpegMarkers.app0) return isText(signature, 'JFIF\0')
  if (code === jpegMarkers.app2) return isText(signature, 'ICC_PROFILE\0')
  if (code === jpegMarkers.app14) return isText(signature, 'Adobe')
  return !(code >= jpegMarkers.app0 && code <= jpegMarkers.app15) && code !== jpegMarkers.comment
}

function createJpegSegment(code: number, body: Buffer): Buffer {
  const header = Buffer.from([0xff, code, 0, 0])
  header.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([header, body])
}

const visiblePngChunks = new Set(
  'tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs hIST sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

async function readPngChunks(file: FileWindow): Promise<MediaSegment[]> {
  const chunks: MediaSegment[] = []
  addRange(chunks, { start: 0, end: 8 })
  let offset = 8
  let hasExif = false
  for (let partCount = 0; partCount < maxParts && chunks.length < maxChunks && offset + 8 <= file.size; partCount++) {
    const header = await file.readFrom(offset, 8)
    const length = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    if (!/^[A-Za-z]{4}$/.test(type)) break
    const end = offset + 12 + length
    if (/^[A-Z]/.test(type) || visiblePngChunks.has(type)) addRange(chunks, { start: offset, end })
    else if (type === 'eXIf' && !hasExif) {
      hasExif = true
      const exif = createOrientationExif((await file.readFrom(offset, 8 + length)).subarray(8, 8 + length))
      if (exif) chunks.push(createPngChunk('eXIf', exif))
    }
    if (type === 'IEND') break
    offset = end
  }
  return clipToFile(chunks, file)
}

function createPngChunk(type: string, body: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + body.length)
  chunk.writeUInt32BE(body.length, 0)
  chunk.write(type, 4, 'latin1')
  body.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + body.length)), 8 + body.length)
  return chunk
}

const visibleWebpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const webpFlags = { exif: 0x08, xmp: 0x04 }

async function readWebpChunks(file: FileWindow): Promise<MediaSegment[]> {
  const chunks: MediaSegment[] = []
  let extendedHeader: Buffer | undefined
  let exif: Buffer | undefined
  let hasExif = false
  let offset = 12
  for (let partCount = 0; partCount < maxParts && chunks.length < maxChunks && offset + 8 <= file.size; partCount++) {
    const header = await file.readFrom(offset, 18)
    const type = header.toString('latin1', 0, 4)
    const length = header.readUInt32LE(4)
    const end = offset + 8 + length + (length % 2)
    if (type === 'VP8X' && !extendedHeader && length === 10 && header.length >= 18) {
      extendedHeader = Buffer.from(header.subarray(0, 18))
      chunks.push(extendedHeader)
    } else if (visibleWebpChunks.has(type)) addRange(chunks, { start: offset, end })
    else if (type === 'EXIF' && extendedHeader && !hasExif) {
      hasExif = true
      const body = (await file.readFrom(offset, 8 + length)).subarray(8, 8 + length)
      exif = createOrientationExif(isText(body, 'Exif\0\0') ? body.subarray(6) : body)
      if (exif) chunks.push(createWebpChunk('EXIF', exif))
    }
    offset = end
  }
  if (extendedHeader) {
    const cleanFlags = extendedHeader.readUInt8(8) & ~(webpFlags.exif | webpFlags.xmp)
    extendedHeader.writeUInt8(cleanFlags | (exif ? webpFlags.exif : 0), 8)
  }
  const body = clipToFile(chunks, file)
  const header = createWebpChunk('RIFF', Buffer.from('WEBP'))
  header.writeUInt32LE(4 + sumSegments(body), 4)
  return [header, ...body]
}

/** `body` must have an even length. */
function createWebpChunk(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(type, 0, 'latin1')
  header.writeUInt32LE(body.length, 4)
  return Buffer.concat([header, body])
}

const orientationTag = 0x0112
const shortType = 3
const exifEntryBytes = 12

/** EXIF (without its signature) with the orientation alone; undefined when upright. */
function createOrientationExif(tiff: Buffer): Buffer | undefined {
  const orientation = readOrientation(tiff)
  if (orientation < 2 || orientation > 8) return undefined
  const minimalExif = Buffer.alloc(26)
  minimalExif.write('MM\0*', 0, 'latin1')
  minimalExif.writeUInt32BE(8, 4)
  minimalExif.writeUInt16BE(1, 8)
  minimalExif.writeUInt16BE(orientationTag, 10)
  minimalExif.writeUInt16BE(shortType, 12)
  minimalExif.writeUInt32BE(1, 14)
  minimalExif.writeUInt16BE(orientation, 18)
  return minimalExif
}

/** 1 to 8 as in EXIF; 1, upright, by default. */
export function readOrientation(tiff: Buffer): number {
  const isLittleEndian = isText(tiff, 'II')
  if (tiff.length < 8 || !(isLittleEndian || isText(tiff, 'MM'))) return 1
  const readShort = (offset: number) => (isLittleEndian ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset))
  const directory = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const entryCount = readShort(directory)
  for (let index = 0; index < entryCount; index++) {
    const offset = directory + 2 + index * exifEntryBytes
    if (offset + exifEntryBytes > tiff.length) break
    if (readShort(offset) === orientationTag && readShort(offset + 2) === shortType) return readShort(offset + 8)
  }
  return 1
}

function isText(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

function clipToFile(chunks: readonly MediaSegment[], { size }: FileWindow): MediaSegment[] {
  return chunks.flatMap((chunk): MediaSegment[] => {
    if (Buffer.isBuffer(chunk)) return [chunk]
    const end = Math.min(chunk.end, size)
    return chunk.start < end ? [{ start: chunk.start, end }] : []
  })
}

function addRange(chunks: MediaSegment[], range: { start: number; end: number }): void {
  const last = chunks.at(-1)
  if (last && !Buffer.isBuffer(last) && last.end === range.start) last.end = range.end
  else chunks.push(range)
}
