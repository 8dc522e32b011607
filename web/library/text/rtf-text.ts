import { decodeText, decodeUtf8, findByByteOrderMark } from './decode-text.ts'
import { type Decode, findCodePage } from './text-encodings.ts'
import { UnreadableDocument } from './unreadable-document.ts'

const skippedGroups = new Set(
  'fonttbl colortbl stylesheet info pict object objdata themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl mmathPr fldinst header footer headerl headerr footerl footerr nonshppict'.split(
    ' ',
  ),
)
const controlCharacters: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
}
const symbolCharacters: Record<string, string> = { '~': ' ', '\r': '\n', '\n': '\n' }
const hyphen = 0x2d
const maxGroupDepth = 10_000

interface RtfGroup {
  isIncluded: boolean
  isFontTable: boolean
  /** Undefined is the default font. */
  font: number | undefined
  /** Fallback characters to skip after a \u escape. */
  fallbackCount: number
}

/** Iterative; drops pictures, objects and field instructions. @throws if it isn't RTF */
export function rtfToText(bytes: Uint8Array): string {
  // RTF is ASCII, but some writers put UTF-8 into it. In any other file, each character is a byte.
  const unicodeText = findByByteOrderMark(bytes) ? decodeText(bytes) : decodeUtf8(bytes)
  const rtf = unicodeText ?? new TextDecoder('x-user-defined').decode(bytes)
  if (!/^\s*\{\\rtf/.test(rtf)) throw new UnreadableDocument('This document isn’t Rich Text.')
  const parts: string[] = []
  const codePages = new RtfCodePages()
  const byteRun = new RtfByteRun()
  const groups: RtfGroup[] = []
  let group: RtfGroup = { isIncluded: true, isFontTable: false, font: undefined, fallbackCount: 1 }
  let skipCount = 0
  const write = (text: string) => {
    if (skipCount > 0) skipCount--
    else if (group.isIncluded) parts.push(byteRun.flush(codePages), text)
  }
  const writeByte = (byte: number) => {
    if (skipCount > 0) skipCount--
    else if (group.isIncluded) parts.push(byteRun.push(byte, codePages.find(group.font), codePages))
  }
  const writeLiteral = (text: string) => {
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      if (code < 0x80) writeByte(code)
      // Bytes from 0x80 are read as U+F780 and above.
      else if (unicodeText === undefined) writeByte(code & 0xff)
      else write(character)
    }
  }
  const tokenPattern = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+/gi
  for (let match = tokenPattern.exec(rtf); match; match = tokenPattern.exec(rtf)) {
    const [matchedText, word, number, hexadecimal, symbol, brace] = match
    // A two-byte character can be completed in the next group.
    if (brace && !byteRun.isPairOpen) parts.push(byteRun.flush(codePages))
    if (brace === '{') {
      if (groups.length >= maxGroupDepth) throw new UnreadableDocument('This Rich Text is nested too deeply.')
      groups.push(group)
      group = { ...group }
      skipCount = 0
    } else if (brace === '}') {
      group = groups.pop() ?? group
      skipCount = 0
    } else if (hexadecimal) writeByte(Number.parseInt(hexadecimal, 16))
    else if (word === 'bin') tokenPattern.lastIndex += Math.max(0, Number(number ?? 0))
    else if (word === 'u' && number) {
      skipCount = 0
      write(String.fromCharCode(Number(number) & 0xff_ff))
      skipCount = group.fallbackCount
    } else if (word === 'uc') group.fallbackCount = Math.max(0, Math.min(8, Number(number ?? 1)))
    else if (word === 'f' && number) group.font = Number(number)
    else if (word === 'plain') group.font = undefined
    else if (word) {
      codePages.readKeyword(word, Number(number ?? 0), group.font, group.isFontTable)
      if (skippedGroups.has(word)) group = { ...group, isIncluded: false, isFontTable: word === 'fonttbl' }
      else if (Object.hasOwn(controlCharacters, word)) write(controlCharacters[word] ?? '')
    } else if (symbol === '*') group.isIncluded = false
    else if (symbol === '\\' || symbol === '{' || symbol === '}') writeByte(symbol.charCodeAt(0))
    else if (symbol === '_') writeByte(hyphen)
    else if (symbol && Object.hasOwn(symbolCharacters, symbol)) write(symbolCharacters[symbol] ?? '')
    else if (symbol === undefined && !/^[\r\n]/.test(matchedText)) {
      writeLiteral(matchedText)
      const next = rtf[tokenPattern.lastIndex]
      const isEscape = rtf.startsWith("\\'", tokenPattern.lastIndex)
      const isTrailByte = byteRun.isPairOpen && unicodeText === undefined && !isEscape
      // After a lead byte, a backslash or brace is the second half of the character, not RTF.
      if (isTrailByte && next && '\\{}'.includes(next)) {
        writeByte(next.charCodeAt(0))
        tokenPattern.lastIndex++
      }
    }
  }
  parts.push(byteRun.flush(codePages))
  return parts.join('').replace(/\n{3,}/g, '\n\n')
}

const codePageByCharset: Record<number, number> = {
  77: 10000,
  78: 10001,
  79: 10003,
  80: 10008,
  81: 10002,
  83: 10005,
  84: 10004,
  85: 10006,
  86: 10081,
  87: 10021,
  88: 10029,
  89: 10007,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  179: 1256,
  180: 1256,
  181: 1255,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
}
const shiftJis = [932, 10001]
const doubleByteCodePages = new Set([...shiftJis, 936, 949, 950, 10002, 10003, 10008])
const codePageByKeyword: Record<string, number> = { ansi: 1252, mac: 10000, pc: 437, pca: 850 }

interface RtfFont {
  charset?: number
  codePage?: number
}

/** Code pages of a Rich Text file and of its fonts. */
class RtfCodePages {
  #fileCodePage = 1252
  #defaultFont = 0
  readonly #fonts = new Map<number, RtfFont>()

  /** `isFontTable`: the keyword describes `font` instead of using it. */
  readKeyword(keyword: string, value: number, font: number | undefined, isFontTable: boolean): void {
    if (keyword === 'ansicpg') this.#fileCodePage = getDecoder(value) ? value : this.#fileCodePage
    else if (keyword === 'deff') this.#defaultFont = value
    else if (Object.hasOwn(codePageByKeyword, keyword))
      this.#fileCodePage = codePageByKeyword[keyword] ?? this.#fileCodePage
    else if (isFontTable && font !== undefined && (keyword === 'fcharset' || keyword === 'cpg')) {
      const existing = this.#fonts.get(font) ?? {}
      this.#fonts.set(font, { ...existing, [keyword === 'cpg' ? 'codePage' : 'charset']: value })
    }
  }

  /** The code page of text in this font. */
  find(font: number | undefined): number {
    const { charset, codePage } = this.#fonts.get(font ?? this.#defaultFont) ?? {}
    const declared = charset === undefined ? codePage : codePageByCharset[charset]
    if (declared !== undefined && getDecoder(declared)) return declared
    return charset === 0 ? 1252 : this.#fileCodePage
  }

  decode(bytes: Uint8Array, codePage: number): string {
    const decode = getDecoder(codePage === 1252 && this.#usesFileCodePage(bytes) ? this.#fileCodePage : codePage)
    return decode?.(bytes) ?? ''
  }

  /** Some writers declare a Western font for text in the code page of the file. */
  #usesFileCodePage(bytes: Uint8Array): boolean {
    if (this.#fileCodePage === 1252) return false
    if (this.#fileCodePage === 65001 || doubleByteCodePages.has(this.#fileCodePage))
      return hasRun(bytes, 0x80, 2) && !getDecoder(this.#fileCodePage)?.(bytes).includes('\ufffd')
    // Three accented letters in a row are hardly ever Western.
    return hasRun(bytes, 0xc0, 3)
  }
}

function hasRun(bytes: Uint8Array, min: number, length: number): boolean {
  let run = 0
  for (const byte of bytes) {
    run = byte >= min ? run + 1 : 0
    if (run === length) return true
  }
  return false
}

const decoders = new Map<number, Decode | undefined>()

function getDecoder(codePage: number): Decode | undefined {
  if (!decoders.has(codePage)) decoders.set(codePage, findCodePage(codePage))
  return decoders.get(codePage)
}

/** Consecutive bytes of one code page, because a character can have two or more. */
class RtfByteRun {
  #bytes: number[] = []
  #codePage = 1252
  /** The next byte completes a character, even if it is a backslash or a brace. */
  isPairOpen = false

  /** @returns the text before this byte if the code page changes */
  push(byte: number, codePage: number, codePages: RtfCodePages): string {
    const previousText = codePage === this.#codePage ? '' : this.flush(codePages)
    this.#codePage = codePage
    this.#bytes.push(byte)
    this.isPairOpen = !this.isPairOpen && isLeadByte(byte, codePage)
    return previousText
  }

  flush(codePages: RtfCodePages): string {
    if (this.#bytes.length === 0) return ''
    const text = codePages.decode(Uint8Array.from(this.#bytes), this.#codePage)
    this.#bytes = []
    this.isPairOpen = false
    return text
  }
}

function isLeadByte(byte: number, codePage: number): boolean {
  if (byte <= 0x80 || byte === 0xff || !doubleByteCodePages.has(codePage)) return false
  // Half-width katakana in Shift_JIS.
  return !(shiftJis.includes(codePage) && byte >= 0xa0 && byte <= 0xdf)
}
