import type { CsvDialect } from './csv-rows.ts'

const separators = [',', ';', '\t', '|', '^', '~', '¦', '\u001f']
const sampleLength = 20_000
const sampleRows = 60

/** Excel's `sep=` line decides; otherwise the separator that makes the most regular table of a sample. */
export function detectCsvDialect(text: string): CsvDialect {
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
  const quoted = text.match(/(?:^|[,;\t|\r\n])'[^'\r\n]{0,200}'(?=[,;\t|\r\n]|$)/g)?.length ?? 0
  const apostrophes = text.split("'").length - 1
  return quoted > 1 && quoted * 2 >= apostrophes * 0.9 ? "'" : '"'
}

/** Rows with a letter in place of each quoted cell, so that its content doesn't count. */
function listRows(sample: string, quote: string): string[] {
  const quotedCell = new RegExp(`(^|[,;\\t|^~¦\\u001f\\r\\n] ?)${quote}(?:[^${quote}]|${quote}{2})*(?:${quote}|$)`, 'g')
  const rows = sample.replace(quotedCell, '$1q').split(/\r\n|\r|\n/)
  // The last row of a cut sample is incomplete.
  if (rows.length > 1 && sample.length === sampleLength) rows.pop()
  return rows.filter((row) => row.trim() !== '').slice(0, sampleRows)
}

/** How regular the rows are, how much their cells look like values, and a little for more columns. */
function rateSeparator(rows: readonly string[], separator: string): number {
  const split = rows.map((row) => row.split(separator)).filter(({ length }) => length > 1)
  const sameLength = [...Map.groupBy(split, ({ length }) => length).values()]
  const [regular] = sameLength.toSorted((a, b) => b.length - a.length || (b[0]?.length ?? 0) - (a[0]?.length ?? 0))
  if (!regular || split.length * 3 <= rows.length) return 0
  const cells = regular.flat()
  const values = cells.filter((cell) => isValue(cell.trim(), separator)).length
  const regularity = (regular.length + split.length) / (2 * rows.length)
  return regularity * (0.5 + values / cells.length) * (2 - 1 / (regular[0]?.length ?? 1))
}

const number = /^[-+]?\p{Sc}?\s?\d[\d.,'\s]*\s?[%\p{Sc}]?$/u

/** Numbers, dates and text; a cell that another separator could split further is neither. */
function isValue(cell: string, separator: string): boolean {
  if (cell === '' || (cell.length < 60 && number.test(cell))) return true
  return !separators.some((other) => other !== separator && other !== ',' && cell.includes(other))
}
