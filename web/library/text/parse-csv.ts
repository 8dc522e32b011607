export function parseCsv(text: string, maxRows = Number.POSITIVE_INFINITY): string[][] {
  return readCsvRows(text, detectCsvDialect(text), maxRows)
}

interface CsvDialect {
  separator: string
  quote: string
  /** Offset of the first row, after a byte order mark and a `sep=` line. */
  start: number
}

const separators = [',', ';', '\t', '|', '^', '~', '¦', '\u001f']
const sampleLength = 20_000
const sampleRows = 60

/** Excel's `sep=` line decides; otherwise the separator that makes the most regular table of a sample. */
function detectCsvDialect(text: string): CsvDialect {
  const start = text.startsWith('\ufeff') ? 1 : 0
  const [line = '', declared] = /^"?sep=(\\t|[^\r\n])"?(?:\r\n|\r|\n|$)/i.exec(text.slice(start, start + 20)) ?? []
  const sample = text.slice(start + line.length, start + line.length + sampleLength)
  const quote = detectQuote(sample)
  if (declared) return { separator: declared === '\\t' ? '\t' : declared, quote, start: start + line.length }
  const rows = listRows(sample, quote)
  let best = { separator: ',', score: 0 }
  for (const separator of separators) {
    const score = rateSeparator(rows, separator)
    if (score > best.score) best = { separator, score }
  }
  return { separator: best.separator, quote, start }
}

/** Some databases quote with apostrophes. They count only where they enclose whole cells. */
function detectQuote(sample: string): string {
  if (sample.includes('"')) return '"'
  const text = sample.replaceAll("''", '')
  const quotedCount = text.match(/(?:^|[,;\t|\r\n])'[^'\r\n]{0,200}'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const apostropheCount = text.split("'").length - 1
  return quotedCount > 1 && quotedCount * 2 >= apostropheCount * 0.9 ? "'" : '"'
}

/** Rows with a letter in place of each quoted cell, so that its content doesn't count. */
function listRows(sample: string, quote: string): string[] {
  const quotedCell = new RegExp(`(^|[,;\\t|^~¦\\u001f\\r\\n] ?)${quote}(?:[^${quote}]|${quote}{2})*(?:${quote}|$)`, 'g')
  const rows = sample.replace(quotedCell, '$1q').split(/\r\n|\r|\n/)
  // The last row of a cut sample is incomplete.
  if (rows.length > 1 && sample.length === sampleLength) rows.pop()
  return rows.filter((row) => row.trim() !== '').slice(0, sampleRows)
}

/** Rates how regular the rows are and how many cells look like values, with a small bonus for more columns. */
function rateSeparator(rows: readonly string[], separator: string): number {
  const splitRows = rows.map((row) => row.split(separator)).filter(({ length }) => length > 1)
  const groups = [...Map.groupBy(splitRows, ({ length }) => length).values()]
  const [largestGroup] = groups.toSorted((a, b) => b.length - a.length || (b[0]?.length ?? 0) - (a[0]?.length ?? 0))
  if (!largestGroup || splitRows.length * 3 <= rows.length) return 0
  const cells = largestGroup.flat()
  const valueCount = cells.filter((cell) => isValue(cell.trim(), separator)).length
  const regularity = (largestGroup.length + splitRows.length) / (2 * rows.length)
  const columnCount = largestGroup[0]?.length ?? 1
  return regularity * (0.5 + valueCount / cells.length) * (2 - 1 / columnCount)
}

const numberPattern = /^[-+]?\p{Sc}?\s?\d[\d.,'\s]*\s?[%\p{Sc}]?$/u

/** False for a cell that another separator could split further. */
function isValue(cell: string, separator: string): boolean {
  if (cell === '' || (cell.length < 60 && numberPattern.test(cell))) return true
  return !separators.some((other) => other !== separator && other !== ',' && cell.includes(other))
}

/** Quoted cells may contain separators, line breaks and doubled quotes; text after a closing quote is kept. */
function readCsvRows(text: string, { separator, quote, start }: CsvDialect, maxRows: number): string[][] {
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
