const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const skippedElements = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object'])
const blockElements = new Set(
  'title p div br li ul ol h1 h2 h3 h4 h5 h6 tr table section article header footer main nav blockquote pre hr'.split(
    ' ',
  ),
)

/** A page's text for a model, in linear time. Not safe for display: markup may remain. */
export function htmlToText(html: string): string {
  return decodeEntities(removeTags(html))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim()
}

function removeTags(html: string): string {
  // ASCII only, since lower-casing other letters can change the length.
  const lowerCase = html.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  const tagName = /<\/?([a-z][a-z0-9]*)/y
  const parts: string[] = []
  let position = 0
  while (position < html.length) {
    const tagStart = html.indexOf('<', position)
    parts.push(html.slice(position, tagStart < 0 ? undefined : tagStart))
    if (tagStart < 0) break
    if (!/[a-z/!?]/.test(lowerCase[tagStart + 1] ?? '')) {
      parts.push('<')
      position = tagStart + 1
      continue
    }
    tagName.lastIndex = tagStart
    const name = tagName.exec(lowerCase)?.[1]
    if (name && blockElements.has(name)) parts.push('\n')
    const isContentSkipped = name !== undefined && skippedElements.has(name) && lowerCase[tagStart + 1] !== '/'
    const endMarker = isContentSkipped ? `</${name}` : html.startsWith('<!--', tagStart) ? '-->' : '>'
    const end = lowerCase.indexOf(endMarker, tagStart + 1)
    if (end < 0) break
    position = isContentSkipped ? end : end + endMarker.length
  }
  return parts.join('')
}

function decodeEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (match, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? match
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}
