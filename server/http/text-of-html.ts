const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const unread = 'script|style|noscript|template|svg|head|iframe|object'
const breaks =
  /<\/?(?:p|div|br|li|ul|ol|h[1-6]|tr|table|section|article|header|footer|main|nav|blockquote|pre|hr)\b[^>]*>/gi

/** The words of a page for a model to read. Not for showing: it promises nothing about what is left of the markup. */
export function textOfHtml(html: string): string {
  const title = /<title\b[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? ''
  const body = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(new RegExp(`<(${unread})\\b[^>]*>[\\s\\S]*?(?:</\\1\\s*>|$)`, 'gi'), ' ')
    .replace(breaks, '\n')
    .replace(/<[^>]*>/g, '')
  return [title, body]
    .filter(Boolean)
    .map(withoutEntities)
    .join('\n\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function withoutEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}
