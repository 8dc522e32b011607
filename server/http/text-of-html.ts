const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const unread = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object'])
const breaking = new Set(
  'title p div br li ul ol h1 h2 h3 h4 h5 h6 tr table section article header footer main nav blockquote pre hr'.split(
    ' ',
  ),
)

/** A page's text for a model, in linear time. Not safe for display: markup may remain. */
export function textOfHtml(html: string): string {
  return withoutEntities(withoutTags(html))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim()
}

function withoutTags(html: string): string {
  // ASCII only, since lower-casing other letters can change the length.
  const folded = html.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  const tagName = /<\/?([a-z][a-z0-9]*)/y
  const parts: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    parts.push(html.slice(at, open < 0 ? undefined : open))
    if (open < 0) break
    if (!/[a-z/!?]/.test(folded[open + 1] ?? '')) {
      parts.push('<')
      at = open + 1
      continue
    }
    tagName.lastIndex = open
    const name = tagName.exec(folded)?.[1]
    if (name && breaking.has(name)) parts.push('\n')
    const isContentUnread = name !== undefined && unread.has(name) && folded[open + 1] !== '/'
    const endOf = isContentUnread ? `</${name}` : html.startsWith('<!--', open) ? '-->' : '>'
    const end = folded.indexOf(endOf, open + 1)
    // An unclosed element extends to the end of the page.
    if (end < 0) break
    at = isContentUnread ? end : end + endOf.length
  }
  return parts.join('')
}

function withoutEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}
