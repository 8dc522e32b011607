export interface CsvDialect {
  separator: string
  quote: string
  /** Where the rows begin, after a byte order mark and a `sep=` line. */
  start: number
}

/** Quoted cells may contain separators, line breaks and doubled quotes; text after a closing quote is kept. */
export function readCsvRows(text: string, { separator, quote, start }: CsvDialect, maxRows: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let position = start
  const unquotedPattern = new RegExp(`[^${escapeInClass(separator + quote)}\\r\\n]+`, 'y')
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
    } else if (character === quote && isBlank(cell)) {
      const quoted = readQuoted(text, position + 1, quote)
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

/** Some writers put a space before a quote. */
const isBlank = (cell: string) => cell.length < 20 && cell.trim() === ''

const escapeInClass = (characters: string) => characters.replace(/[\\\]^-]/g, '\\$&')

function readQuoted(text: string, from: number, quote: string): { text: string; end: number } {
  const parts: string[] = []
  let position = from
  while (position < text.length) {
    const end = text.indexOf(quote, position)
    if (end < 0) break
    parts.push(text.slice(position, end))
    if (text[end + 1] !== quote) return { text: parts.join(''), end: end + 1 }
    parts.push(quote)
    position = end + 2
  }
  return { text: parts.join('') + text.slice(position), end: text.length }
}
