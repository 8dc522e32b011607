/** Quoted cells may contain separators, line breaks and doubled quotes; text after a closing quote is kept. */
export function parseCsv(text: string, maxRows = Number.POSITIVE_INFINITY): string[][] {
  const separator = detectSeparator(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let position = text.startsWith('﻿') ? 1 : 0
  const unquotedPattern = new RegExp(`[^${separator === '\t' ? '\\t' : separator}\r\n"]+`, 'y')
  const endRow = () => {
    rows.push([...row, cell])
    row = []
    cell = ''
  }
  while (position < text.length && rows.length < maxRows) {
    unquotedPattern.lastIndex = position
    const unquotedText = unquotedPattern.exec(text)?.[0]
    const character = text[position]
    if (unquotedText !== undefined) {
      cell += unquotedText
      position += unquotedText.length
    } else if (character === '"' && cell === '') {
      const quoted = readQuoted(text, position + 1)
      cell = quoted.text
      position = quoted.end
    } else if (character === separator) {
      row.push(cell)
      cell = ''
      position++
    } else if (character === '\n' || character === '\r') {
      endRow()
      position += character === '\r' && text[position + 1] === '\n' ? 2 : 1
    } else {
      cell += character
      position++
    }
  }
  if (rows.length < maxRows && (cell !== '' || row.length > 0)) endRow()
  return rows
}

function readQuoted(text: string, from: number): { text: string; end: number } {
  const parts: string[] = []
  let position = from
  while (position < text.length) {
    const quote = text.indexOf('"', position)
    if (quote < 0) break
    parts.push(text.slice(position, quote))
    if (text[quote + 1] !== '"') return { text: parts.join(''), end: quote + 1 }
    parts.push('"')
    position = quote + 2
  }
  return { text: parts.join('') + text.slice(position), end: text.length }
}

/** The most frequent of comma, semicolon and tab in the unquoted first line. */
function detectSeparator(text: string): ',' | ';' | '\t' {
  const textWithoutQuotes = text.slice(0, 5000).replace(/(^\ufeff?|[,;\t\r\n])"(?:[^"]|"")*(?:"|$)/g, '$1')
  const end = textWithoutQuotes.search(/[\r\n]/)
  const firstLine = textWithoutQuotes.slice(0, end < 0 ? undefined : end)
  const count = (character: string) => firstLine.split(character).length - 1
  const [mostFrequent] = ([',', ';', '\t'] as const).toSorted((a, b) => count(b) - count(a))
  return mostFrequent ?? ','
}
