export type CsvValue = string | number | boolean | null

/** One RFC 4180 record with its line end. An apostrophe keeps spreadsheets from reading text as a formula. */
export function formatCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(formatCsvCell).join(',')}\r\n`
}

/** The first line of a file. Without the byte order mark, Excel reads UTF-8 as the old code page of its machine. */
export function formatCsvHeader(columns: readonly CsvValue[]): string {
  return `\uFEFF${formatCsvLine(columns)}`
}

/** Spreadsheets also accept full-width signs, and skip a tab or line end before them. */
const formulaStart = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/

function formatCsvCell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const escaped = formulaStart.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}
