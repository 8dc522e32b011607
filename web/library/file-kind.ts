import type { DocumentFormat } from './documents.ts'
import { decodeText, findByByteOrderMark } from './text/decode-text.ts'

/** Number of bytes at the start of a file that are needed to detect its kind. */
export const headBytes = 4096

export type FileKind = DocumentFormat | 'unknown-text' | 'office' | 'zip' | 'picture' | 'recording' | 'binary'

const signatures: [kind: FileKind, offset: number, bytes: string][] = [
  ['pdf', 0, '%PDF-'],
  ['pdf', 3, '%PDF-'],
  ['zip', 0, 'PK\x03\x04'],
  ['zip', 0, 'PK\x05\x06'],
  ['zip', 0, '\x1f\x8b'],
  ['zip', 0, '7z\xbc\xaf\x27\x1c'],
  ['zip', 0, 'Rar!\x1a\x07'],
  ['office', 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['picture', 0, '\x89PNG\r\n\x1a\n'],
  ['picture', 0, '\xff\xd8\xff'],
  ['picture', 0, 'GIF8'],
  ['picture', 0, 'II*\0'],
  ['picture', 0, 'MM\0*'],
  ['picture', 8, 'WEBP'],
  ['picture', 4, 'ftypheic'],
  ['picture', 4, 'ftypmif1'],
  ['picture', 4, 'ftypavif'],
  ['recording', 4, 'ftyp'],
  ['recording', 0, 'ID3'],
  ['recording', 0, 'OggS'],
  ['recording', 0, 'fLaC'],
  ['recording', 0, '\x1aE\xdf\xa3'],
  ['recording', 8, 'WAVE'],
]

/** Detects the kind from the first bytes. `unknown-text`: text in a format that the bytes don't reveal. */
export function readFileKind(head: Uint8Array): FileKind {
  const signature = signatures.find(([, offset, bytes]) =>
    [...bytes].every((character, index) => head[offset + index] === character.charCodeAt(0)),
  )
  if (signature) return signature[0]
  const text = decodeHead(head)
  if (text === undefined) return 'binary'
  if (/^\s*\{\\rtf/.test(text)) return 'rtf'
  if (/^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text)) return 'html'
  return /^\s*<\?xml\s/.test(text) ? 'xml' : 'unknown-text'
}

/** Of a text's bytes; binary files have more control characters. */
const maxControlShare = 1 / 50

/** Undefined if the bytes aren't text. */
function decodeHead(head: Uint8Array): string | undefined {
  const controlCount = head.filter((byte) => byte > 0 && byte < 0x20 && !allowedControls.has(byte)).length
  if (controlCount > head.length * maxControlShare && !findByByteOrderMark(head)) return undefined
  try {
    return decodeText(head)
  } catch {
    return undefined
  }
}

/** Tab, line ends, page ends, the old end of a file and the escape character of Japanese text. */
const allowedControls = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b])
