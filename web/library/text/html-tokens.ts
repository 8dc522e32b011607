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
  let at = 0
  // Caches failed searches: without it, hostile input takes quadratic time.
  const missing = new Set<string>()
  let endlessTags = 0
  const find = (searchText: string, from: number) => {
    if (missing.has(searchText)) return -1
    const index = html.indexOf(searchText, from)
    if (index < 0) missing.add(searchText)
    return index
  }
  while (at < html.length) {
    const open = find('<', at)
    if (open < 0) {
      yield { kind: 'text', text: html.slice(at) }
      return
    }
    if (open > at) yield { kind: 'text', text: html.slice(at, open) }
    const next = html[open + 1] ?? ''
    if (html.startsWith('<!--', open)) {
      const end = find('-->', open + 4)
      at = end < 0 ? html.length : end + 3
    } else if (html.startsWith('<![CDATA[', open)) {
      const end = find(']]>', open + 9)
      yield { kind: 'text', text: html.slice(open + 9, end < 0 ? undefined : end).replaceAll('<', '&lt;') }
      at = end < 0 ? html.length : end + 3
    } else if (next === '!' || next === '?') {
      const end = find('>', open)
      at = end < 0 ? html.length : end + 1
    } else if (/[a-zA-Z/]/.test(next)) {
      const quoted = endlessTags > maxEndlessTags ? undefined : findTagEnd(html, open, find)
      if (quoted === undefined) endlessTags += 1
      const end = quoted ?? find('>', open)
      if (end < 0) {
        yield { kind: 'text', text: '<' }
        at = open + 1
        continue
      }
      const [, slash, name = '', attributes = ''] = /^<(\/?)([^\s/>]*)([\s\S]*)$/.exec(html.slice(open, end)) ?? []
      const tag = name.toLowerCase()
      yield { kind: 'tag', name: tag, closing: slash === '/', attributes }
      at = end + 1
      if (slash !== '/' && skippedElements.has(tag) && !attributes.endsWith('/')) at = findSkippedEnd(html, tag, at)
    } else {
      yield { kind: 'text', text: '<' }
      at = open + 1
    }
  }
}

const maxTagLength = 100_000
/** After this many tags without an unquoted `>`, quotes are ignored. */
const maxEndlessTags = 20

/** Index of the closing `>`; -1 if there is none, undefined if every nearby one is quoted. */
function findTagEnd(
  html: string,
  open: number,
  find: (searchText: string, from: number) => number,
): number | undefined {
  if (find('>', open) < 0) return -1
  const until = Math.min(html.length, open + maxTagLength)
  let quote = ''
  for (let at = open + 1; at < until; at++) {
    const sign = html[at] ?? ''
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '>') return at
    else if (sign === '"' || sign === "'") {
      // An unclosed quote is not a quote.
      if (find(sign, at + 1) < 0) return find('>', at)
      quote = sign
    }
  }
  return undefined
}

function findSkippedEnd(html: string, tag: string, from: number): number {
  const end = new RegExp(`</${tag}\\b`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

const namedEntities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  copy: '©',
  euro: '€',
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

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return Object.hasOwn(namedEntities, name) ? (namedEntities[name] ?? whole) : whole
    const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal, 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** Well-formed tags only, other `<` escaped, so that patterns can safely process the result. */
export function tameHtml(html: string): string {
  const parts: string[] = []
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'text') parts.push(token.text.replaceAll('<', '&lt;'))
    else if (/^[a-z][a-z0-9:-]*$/.test(token.name) && !skippedElements.has(token.name)) {
      const balanced = /^(?:"[^"]*"|'[^']*'|[^"'])*$/.test(token.attributes)
        ? token.attributes
        : token.attributes.replace(/["']/g, '')
      parts.push(`<${token.closing ? '/' : ''}${token.name}${balanced.replace(/[<>]/g, '')}>`)
    }
  }
  return parts.join('')
}
