import { decodeText, decodeUtf8, findByByteOrderMark } from './decode-text.ts'
import { RtfByteRun, RtfCodePages } from './rtf-bytes.ts'
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
const maxDepth = 10_000

interface RtfGroup {
  isRead: boolean
  isFontTable: boolean
  /** Undefined is the default font. */
  font: number | undefined
  /** Fallback characters to skip after a \u escape. */
  fallbackCount: number
}

/** Iterative; drops pictures, objects and field instructions. @throws if it isn't RTF */
export function rtfToText(bytes: Uint8Array): string {
  // Some writers put UTF-8 into a format of ASCII. In any other file, each character is a byte.
  const unicode = findByByteOrderMark(bytes) ? decodeText(bytes) : decodeUtf8(bytes)
  const rtf = unicode ?? new TextDecoder('x-user-defined').decode(bytes)
  if (!/^\s*\{\\rtf/.test(rtf)) throw new UnreadableDocument('This document isn’t Rich Text.')
  const parts: string[] = []
  const codePages = new RtfCodePages()
  const run = new RtfByteRun()
  const groups: RtfGroup[] = []
  let group: RtfGroup = { isRead: true, isFontTable: false, font: undefined, fallbackCount: 1 }
  let skipCount = 0
  const write = (text: string) => {
    if (skipCount > 0) skipCount--
    else if (group.isRead) parts.push(run.flush(codePages), text)
  }
  const writeByte = (byte: number) => {
    if (skipCount > 0) skipCount--
    else if (group.isRead) parts.push(run.push(byte, codePages.find(group.font), codePages))
  }
  const writeLiteral = (text: string) => {
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0
      if (code < 0x80) writeByte(code)
      else if (unicode === undefined) writeByte(code & 0xff)
      else write(character)
    }
  }
  const tokenPattern = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+/gi
  for (let match = tokenPattern.exec(rtf); match; match = tokenPattern.exec(rtf)) {
    const [matchedText, word, number, hexadecimal, symbol, brace] = match
    if (brace && !run.isPairOpen) parts.push(run.flush(codePages))
    if (brace === '{') {
      if (groups.length >= maxDepth) throw new UnreadableDocument('This Rich Text is nested too deeply.')
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
      if (skippedGroups.has(word)) group = { ...group, isRead: false, isFontTable: word === 'fonttbl' }
      else if (Object.hasOwn(controlCharacters, word)) write(controlCharacters[word] ?? '')
    } else if (symbol === '*') group.isRead = false
    else if (symbol === '\\' || symbol === '{' || symbol === '}') writeByte(symbol.charCodeAt(0))
    else if (symbol === '_') writeByte(0x2d)
    else if (symbol && Object.hasOwn(symbolCharacters, symbol)) write(symbolCharacters[symbol] ?? '')
    else if (symbol === undefined && !/^[\r\n]/.test(matchedText)) {
      writeLiteral(matchedText)
      const next = rtf[tokenPattern.lastIndex]
      const isEscape = rtf.startsWith("\\'", tokenPattern.lastIndex)
      if (run.isPairOpen && unicode === undefined && next && '\\{}'.includes(next) && !isEscape) {
        writeByte(next.charCodeAt(0))
        tokenPattern.lastIndex++
      }
    }
  }
  parts.push(run.flush(codePages))
  return parts.join('').replace(/\n{3,}/g, '\n\n')
}
