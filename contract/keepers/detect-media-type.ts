import { type MediaMime, mediaTypeAliases } from './media.ts'

/** Number of bytes at the start of a file that are needed to detect its type. */
export const sniffedBytes = 1024

/**
 * A file format: its signature and possible types. If there are several, the declared type selects one, else the first
 * counts.
 */
interface MediaFormat {
  matches: (head: Uint8Array) => boolean
  types: (head: Uint8Array) => readonly MediaMime[]
}

/** Ordered: the first match counts. */
const formats: readonly MediaFormat[] = [
  defineFormat((head) => hasBytes(head, 0, 0xff, 0xd8, 0xff), 'image/jpeg'),
  defineFormat((head) => hasBytes(head, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'image/png'),
  defineFormat((head) => hasText(head, 0, 'GIF87a') || hasText(head, 0, 'GIF89a'), 'image/gif'),
  defineFormat((head) => hasText(head, 0, 'RIFF') && hasText(head, 8, 'WEBP'), 'image/webp'),
  defineFormat((head) => hasText(head, 0, 'RIFF') && hasText(head, 8, 'WAVE'), 'audio/wav'),
  defineFormat((head) => hasText(head, 0, 'RIFF') && hasText(head, 8, 'AVI '), 'video/x-msvideo'),
  defineFormat((head) => hasText(head, 0, 'II*\0') || hasText(head, 0, 'MM\0*'), 'image/tiff'),
  { matches: (head) => hasText(head, 4, 'ftyp'), types: getTypesByBrand },
  defineFormat(isOldQuickTime, 'video/quicktime'),
  { matches: (head) => hasBytes(head, 0, 0x1a, 0x45, 0xdf, 0xa3), types: getMatroskaTypes },
  defineFormat((head) => hasText(head, 0, 'OggS'), 'audio/ogg'),
  defineFormat((head) => hasText(head, 0, 'fLaC'), 'audio/flac'),
  defineFormat((head) => hasText(head, 0, '#!AMR'), 'audio/amr'),
  defineFormat((head) => hasText(head, 0, 'caff'), 'audio/x-caf'),
  defineFormat((head) => hasText(head, 0, 'FORM') && hasText(head, 8, 'AIF'), 'audio/aiff'),
  { matches: (head) => hasText(head, 0, 'ID3'), types: getTypesAfterId3Tag },
  defineFormat((head) => isAudioFrame(head, 0, 0) || hasText(head, 0, 'ADIF'), 'audio/aac'),
  defineFormat((head) => isAudioFrame(head, 0, 1), 'audio/mpeg'),
]

/**
 * Detects the type from the bytes; undefined if it isn't accepted. `declaredType` selects only among types of the same
 * format, such as audio and video in MP4.
 * @param head the first {@link sniffedBytes} or more
 */
export function detectMediaType(head: Uint8Array, declaredType = ''): MediaMime | undefined {
  if (head.length === 0) return undefined
  const canonicalType = mediaTypeAliases[declaredType] ?? declaredType
  const isReadable = isPlainText(head)
  if (isReadable && findText(head, '%PDF-') === skipBlanks(head)) return 'application/pdf'
  if (isReadable && canonicalType === 'text/plain') return 'text/plain'
  const format = formats.find(({ matches }) => matches(head))
  if (format) {
    const types = format.types(head)
    return types.find((type) => type === canonicalType) ?? types[0]
  }
  if (findText(head, '%PDF-') !== -1) return 'application/pdf'
  // A text in an older encoding.
  if (canonicalType === 'text/plain' && !head.includes(0)) return 'text/plain'
  return isReadable && !isMarkup(head) ? 'text/plain' : undefined
}

function defineFormat(matches: MediaFormat['matches'], type: MediaMime): MediaFormat {
  return { matches, types: () => [type] }
}

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

function getTypesByBrand(head: Uint8Array): readonly MediaMime[] {
  const end = Math.min(readUint32(head, 0), head.length)
  const major = readText(head, 8, 4)
  const brands = [major]
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(readText(head, offset, 4))
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return ['image/avif']
  if (heicBrands.includes(major)) return ['image/heic']
  if (major === 'qt  ') return ['video/quicktime']
  if (/^(M4A|M4B|F4A) $/.test(major)) return ['audio/mp4']
  if (/^3g/.test(major)) return ['video/3gpp', 'video/mp4', 'audio/mp4']
  return /^(jxl|jp2|crx)/.test(major) ? [] : ['video/mp4', 'audio/mp4']
}

/** QuickTime files from before `ftyp`. The size of the first atom starts with a byte that doesn't occur in text. */
function isOldQuickTime(head: Uint8Array): boolean {
  return (head[0] ?? 0) < 9 && ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].some((name) => hasText(head, 4, name))
}

function getMatroskaTypes(head: Uint8Array): readonly MediaMime[] {
  if (findText(head, 'matroska') !== -1) return ['video/x-matroska']
  const isSoundOnly = findText(head, 'A_') !== -1 && findText(head, 'V_') === -1
  return isSoundOnly ? ['audio/webm', 'video/webm'] : ['video/webm', 'audio/webm']
}

/** An ID3 tag can precede several formats. */
function getTypesAfterId3Tag(head: Uint8Array): readonly MediaMime[] {
  const size = [6, 7, 8, 9].reduce((length, offset) => length * 128 + ((head[offset] ?? 0) & 127), 0)
  const start = 10 + size
  if (hasText(head, start, 'fLaC')) return ['audio/flac']
  if (isAudioFrame(head, start, 0)) return ['audio/aac']
  return start + 2 > head.length ? ['audio/mpeg', 'audio/aac', 'audio/flac'] : ['audio/mpeg']
}

/** `layer`: 1 for MP3, 0 for AAC in ADTS frames. */
function isAudioFrame(head: Uint8Array, offset: number, layer: 0 | 1): boolean {
  const second = head[offset + 1] ?? 0
  return head[offset] === 0xff && (second & 0xe0) === 0xe0 && ((second >> 1) & 3) === layer
}

/** UTF-8 without control characters, cut anywhere; or UTF-16 with its byte order mark. */
function isPlainText(head: Uint8Array): boolean {
  if (hasBytes(head, 0, 0xff, 0xfe) || hasBytes(head, 0, 0xfe, 0xff)) return head.length > 2
  let continuationBytes = 0
  for (const byte of head) {
    if (continuationBytes > 0) {
      if (byte >> 6 !== 0b10) return false
      continuationBytes -= 1
    } else if (byte < 0x80) {
      if (byte < 9 || byte === 0x0b || (byte > 0x0d && byte < 0x20 && byte !== 0x1b)) return false
    } else {
      if (byte < 0xc2 || byte > 0xf4) return false
      continuationBytes = 1
      if (byte >= 0xe0) continuationBytes = 2
      if (byte >= 0xf0) continuationBytes = 3
    }
  }
  return true
}

function isMarkup(head: Uint8Array): boolean {
  return /^<(!|\?|[a-z])/i.test(readText(head, skipBlanks(head), 2))
}

function skipBlanks(head: Uint8Array): number {
  const start = hasBytes(head, 0, 0xef, 0xbb, 0xbf) ? 3 : 0
  const count = head.subarray(start).findIndex((byte) => byte !== 0x20 && (byte < 9 || byte > 13))
  return count === -1 ? head.length : start + count
}

function hasBytes(head: Uint8Array, offset: number, ...bytes: number[]): boolean {
  return bytes.every((byte, index) => head[offset + index] === byte)
}

export function hasText(head: Uint8Array, offset: number, text: string): boolean {
  return [...text].every((character, index) => head[offset + index] === character.charCodeAt(0))
}

function readText(head: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...head.subarray(offset, offset + length))
}

function readUint32(head: Uint8Array, offset: number): number {
  return [0, 1, 2, 3].reduce((value, index) => value * 256 + (head[offset + index] ?? 0), 0)
}

function findText(head: Uint8Array, text: string): number {
  return head.subarray(0, sniffedBytes).findIndex((_, index) => hasText(head, index, text))
}
