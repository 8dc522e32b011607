import { decodeString } from 'micromark-util-decode-string'

export type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'comment'; source: string }
  | { kind: 'tag'; name: string; closes: boolean; attributes: Record<string, string>; source: string }

// Values can't contain `<`, so that every character is read once.
const tagPattern =
  /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s"'<>/=`]+(?:\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>=`]+))?)*)\s*\/?>/iy
const attributePattern = /(?<=\s)([^\s"'<>/=`]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/g

export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = []
  let textStart = 0
  let hasCommentEnd = true
  const addText = (end: number) => {
    if (end > textStart) tokens.push({ kind: 'text', text: html.slice(textStart, end) })
  }
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', Math.max(start + 1, textStart))) {
    let end: number | undefined
    let token: HtmlToken | undefined
    if (html.startsWith('<!--', start)) {
      const commentEnd: number = hasCommentEnd ? html.indexOf('-->', start + 2) : -1
      hasCommentEnd = commentEnd >= 0
      if (hasCommentEnd) [end, token] = [commentEnd + 3, { kind: 'comment', source: html.slice(start, commentEnd + 3) }]
    } else {
      tagPattern.lastIndex = start
      const match = tagPattern.exec(html)
      if (match) [end, token] = [tagPattern.lastIndex, toTag(match)]
    }
    if (end === undefined || !token) continue
    addText(start)
    tokens.push(token)
    textStart = end
  }
  addText(html.length)
  return tokens
}

function toTag([source, slash, name = '', attributes = '']: RegExpExecArray): HtmlToken {
  return {
    kind: 'tag',
    name: name.toLowerCase(),
    closes: slash === '/',
    attributes: Object.fromEntries(
      Array.from(attributes.matchAll(attributePattern), ([, key = '', double, single, bare]) => [
        key.toLowerCase(),
        decodeString(double ?? single ?? bare ?? ''),
      ]),
    ),
    source,
  }
}
