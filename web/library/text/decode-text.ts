import { readMetaCharset } from '#contract/html-text.ts'
import type { DocumentFormat } from '../documents.ts'
import { findDecoder } from './text-encodings.ts'
import { UnreadableDocument } from './unreadable-document.ts'

const declarationBytes = 16_384
const sampleBytes = 8192

/** Tries a byte order mark, the declaration in HTML or XML, UTF-8 and Windows-1252. @throws for binary data */
export function decodeText(bytes: Uint8Array, format: DocumentFormat = 'text'): string {
  const encoding = findByByteOrderMark(bytes) ?? findUtf16WithoutMark(bytes)
  if (encoding) return decodeAs(encoding, bytes)
  if (bytes.subarray(0, sampleBytes).includes(0))
    throw new UnreadableDocument('This isn’t text: it contains binary data.')
  const declared = findDeclaredEncoding(bytes, format)
  const text = declared === undefined ? undefined : findDecoder(declared)?.(bytes)
  if (text !== undefined && !text.includes('\ufffd')) return text
  const utf8 = decodeUtf8(bytes)
  if (utf8 !== undefined) return japaneseEscapePattern.test(utf8) ? decodeAs('iso-2022-jp', bytes) : utf8
  return isUtf8Label(declared) ? decodeDamaged(bytes) : (text ?? decodeDamaged(bytes))
}

/** ISO-2022-JP in email and old text files: all its bytes are ASCII. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts it
const japaneseEscapePattern = /\u001b\$[@B]/

const isUtf8Label = (label: string | undefined) => /^utf-?8$/i.test(label ?? '')

/** Undefined if the bytes aren't valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, sampleBytes).includes(0)) throw new Error('This document isn’t text.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function findByByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** UTF-16 text with at least one ASCII character has zeros, all of them on the same side of the pairs. */
function findUtf16WithoutMark(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 === 1) return undefined
  const sample = bytes.subarray(0, sampleBytes)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd === 0 || (even > 0 && odd > 0)) return undefined
  const label = odd > 0 ? 'utf-16le' : 'utf-16be'
  const text = decodeAs(label, sample)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
  return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffe\uffff]|\p{Cn}/u.test(text) ? undefined : label
}

function findDeclaredEncoding(bytes: Uint8Array, format: DocumentFormat): string | undefined {
  if (format !== 'html' && format !== 'xml') return undefined
  const head = decodeAs('windows-1252', bytes.subarray(0, declarationBytes))
  const declaration = /^\s*<\?xml\s[^>]{0,300}?\bencoding\s*=\s*["']\s*([\w.:-]{1,40})/i.exec(head)?.[1]
  const label = (format === 'html' ? readMetaCharset(head) : undefined) ?? declaration
  // A declaration that was readable as ASCII can't be in UTF-16 or UTF-32.
  if (label && /^(?:utf-?16|utf-?32|ucs-?2|ucs-?4|unicode)/i.test(label)) return 'utf-8'
  return label?.toLowerCase() === 'x-user-defined' ? 'windows-1252' : label
}

/** UTF-8 despite a few damaged characters, such as a cut last one; else Windows-1252. */
function decodeDamaged(bytes: Uint8Array): string {
  const text = decodeAs('utf-8', bytes)
  const damagedCount = text.split('\ufffd').length - 1
  const validCount = text.match(/[\u0080-\ufffc]/g)?.length ?? 0
  const isTruncated = damagedCount === 1 && text.endsWith('\ufffd') && validCount > 0
  return isTruncated || validCount > 2 * damagedCount ? text : decodeAs('windows-1252', bytes)
}

function decodeAs(label: string, bytes: Uint8Array): string {
  return new TextDecoder(label).decode(bytes)
}
