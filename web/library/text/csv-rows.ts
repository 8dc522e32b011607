/** Quoted cells may contain separators, line breaks and doubled quotes; text after a closing quote is kept. */
export function csvRows(text: string, most = Number.POSITIVE_INFINITY): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let at = text.startsWith('﻿') ? 1 : 0
  const plain = new RegExp(`[^${separator === '\t' ? '\\t' : separator}\r\n"]+`, 'y')
  const endRow = () => {
    rows.push([...row, cell])
    row = []
    cell = ''
  }
  while (at < text.length && rows.length < most) {
    plain.lastIndex = at
    const run = plain.exec(text)?.[0]
    const sign = text[at]
    if (run !== undefined) {
      cell += run
      at += run.length
    } else if (sign === '"' && cell === '') {
      const quoted = quotedFrom(text, at + 1)
      cell = quoted.text
      at = quoted.end
    } else if (sign === separator) {
      row.push(cell)
      cell = ''
      at++
    } else if (sign === '\n' || sign === '\r') {
      endRow()
      at += sign === '\r' && text[at + 1] === '\n' ? 2 : 1
    } else {
      cell += sign
      at++
    }
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) endRow()
  return rows
}

function quotedFrom(text: string, from: number): { text: string; end: number } {
  const parts: string[] = []
  let at = from
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    if (quote < 0) break
    parts.push(text.slice(at, quote))
    if (text[quote + 1] !== '"') return { text: parts.join(''), end: quote + 1 }
    parts.push('"')
    at = quote + 2
  }
  return { text: parts.join('') + text.slice(at), end: text.length }
}

/** The most frequent of comma, semicolon and tab in the unquoted first line. */
function separatorOf(text: string): ',' | ';' | '\t' {
  const unquoted = text.slice(0, 5000).replace(/(^\ufeff?|[,;\t\r\n])"(?:[^"]|"")*(?:"|$)/g, '$1')
  const end = unquoted.search(/[\r\n]/)
  const first = unquoted.slice(0, end < 0 ? undefined : end)
  const count = (sign: string) => first.split(sign).length - 1
  const [best] = ([',', ';', '\t'] as const).toSorted((a, b) => count(b) - count(a))
  return best ?? ','
}
