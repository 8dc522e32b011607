import { characterEntitiesLegacy } from 'character-entities-legacy'
import { decodeNamedCharacterReference } from 'decode-named-character-reference'

interface HtmlText {
  kind: 'text'
  text: string
}
interface HtmlTag {
  kind: 'tag'
  name: string
  closing: boolean
  /** After the name, without the closing `>`. */
  attributes: string
}

const skippedElements = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'noembed', 'xmp'])

function* tokenizeHtml(html: string): Generator<HtmlText | HtmlTag> {
  let position = 0
  // Caches failed searches: without it, hostile input takes quadratic time.
  const notFoundTexts = new Set<string>()
  let unclosedTags = 0
  const findText = (searchText: string, from: number) => {
    if (notFoundTexts.has(searchText)) return -1
    const index = html.indexOf(searchText, from)
    if (index < 0) notFoundTexts.add(searchText)
    return index
  }
  while (position < html.length) {
    const tagStart = findText('<', position)
    if (tagStart < 0) {
      yield { kind: 'text', text: html.slice(position) }
      return
    }
    if (tagStart > position) yield { kind: 'text', text: html.slice(position, tagStart) }
    const next = html[tagStart + 1] ?? ''
    if (html.startsWith('<!--', tagStart)) {
      const end = findText('-->', tagStart + 4)
      position = end < 0 ? html.length : end + 3
    } else if (html.startsWith('<![CDATA[', tagStart)) {
      const end = findText(']]>', tagStart + 9)
      yield { kind: 'text', text: html.slice(tagStart + 9, end < 0 ? undefined : end).replaceAll('<', '&lt;') }
      position = end < 0 ? html.length : end + 3
    } else if (next === '!' || next === '?') {
      const end = findText('>', tagStart)
      position = end < 0 ? html.length : end + 1
    } else if (/[a-zA-Z/]/.test(next)) {
      const unquotedEnd = unclosedTags > maxUnclosedTags ? undefined : findTagEnd(html, tagStart, findText)
      if (unquotedEnd === undefined) unclosedTags += 1
      const end = unquotedEnd ?? findText('>', tagStart)
      if (end < 0) {
        yield { kind: 'text', text: '<' }
        position = tagStart + 1
        continue
      }
      const [, slash, name = '', attributes = ''] = /^<(\/?)([^\s/>]*)([\s\S]*)$/.exec(html.slice(tagStart, end)) ?? []
      const tag = name.toLowerCase()
      yield { kind: 'tag', name: tag, closing: slash === '/', attributes }
      position = end + 1
      if (slash !== '/' && skippedElements.has(tag) && !attributes.endsWith('/'))
        position = findSkippedEnd(html, tag, position)
    } else {
      yield { kind: 'text', text: '<' }
      position = tagStart + 1
    }
  }
}

const maxTagLength = 100_000
/** After this many tags without an unquoted `>`, quotes are ignored. */
const maxUnclosedTags = 20

/** Index of the closing `>`; -1 if there is none, undefined if every nearby one is quoted. */
function findTagEnd(
  html: string,
  tagStart: number,
  findText: (searchText: string, from: number) => number,
): number | undefined {
  if (findText('>', tagStart) < 0) return -1
  const searchEnd = Math.min(html.length, tagStart + maxTagLength)
  let quote = ''
  for (let index = tagStart + 1; index < searchEnd; index++) {
    const character = html[index] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return index
    else if (character === '"' || character === "'") {
      // An unclosed quote is not a quote.
      if (findText(character, index + 1) < 0) return findText('>', index)
      quote = character
    }
  }
  return undefined
}

function findSkippedEnd(html: string, tag: string, from: number): number {
  const end = new RegExp(`</${tag}\\b`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

const separatingElements = new Set(
  'p div br li ul ol tr td th table section article header footer h1 h2 h3 h4 h5 h6 blockquote pre hr dt dd title'.split(
    ' ',
  ),
)

/** Readable text of HTML. In XML, every element separates words. */
export function htmlToText(html: string, { isXml = false } = {}): string {
  const parts: string[] = []
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'text') parts.push(decodeEntities(token.text))
    else if (isXml || separatingElements.has(token.name)) parts.push(' ')
  }
  return parts.join('')
}

/** Windows-1252 characters that HTML reads in place of these control codes. */
const isWindows1252 = (code: number) => code >= 0x80 && code <= 0x9f

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})(?:;|(?!\d))|#x([\da-f]{1,6})(?:;|(?![\da-f]))|([a-z][\da-z]{1,31})(;?))/gi,
    (match, decimal, hexadecimal, name, end) => {
      if (name) return decodeName(name, end) ?? match
      const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal, 16)
      if (isWindows1252(code)) return new TextDecoder('windows-1252').decode(Uint8Array.of(code))
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : match
    },
  )
}

/** Old names, such as `&eacute`, are also read without a semicolon and before other letters. */
function decodeName(name: string, end: string): string | undefined {
  const character = end && decodeNamedCharacterReference(name)
  if (character) return character
  for (let length = Math.min(name.length, 6); length >= 2; length--) {
    const legacy = name.slice(0, length)
    if (!characterEntitiesLegacy.includes(legacy)) continue
    const decoded = decodeNamedCharacterReference(legacy)
    if (decoded) return `${decoded}${name.slice(length)}${end}`
  }
  return undefined
}

/** The encoding that a page declares in its beginning. */
export function readMetaCharset(head: string): string | undefined {
  for (const token of tokenizeHtml(head)) {
    if (token.kind !== 'tag' || token.name !== 'meta') continue
    const attributes = readAttributes(token.attributes)
    const content = attributes.get('content') ?? ''
    const declared =
      attributes.get('charset') ??
      (/^content-type$/i.test(attributes.get('http-equiv')?.trim() ?? '')
        ? /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(content)?.[1]
        : undefined)
    if (declared) return declared.trim()
  }
  return undefined
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  const pattern = /([^\s"'<>/=]{1,40})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g
  for (const [, name = '', double, single, bare] of text.slice(0, 1000).matchAll(pattern))
    attributes.set(name.toLowerCase(), double ?? single ?? bare ?? '')
  return attributes
}

/** Well-formed tags only, other `<` escaped, so that patterns can safely process the result. */
export function normalizeHtml(html: string): string {
  const parts: string[] = []
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'text') parts.push(token.text.replaceAll('<', '&lt;'))
    else if (/^[a-z][a-z0-9:-]*$/.test(token.name) && !skippedElements.has(token.name)) {
      const balancedAttributes = /^(?:"[^"]*"|'[^']*'|[^"'])*$/.test(token.attributes)
        ? token.attributes
        : token.attributes.replace(/["']/g, '')
      parts.push(`<${token.closing ? '/' : ''}${token.name}${balancedAttributes.replace(/[<>]/g, '')}>`)
    }
  }
  return parts.join('')
}
