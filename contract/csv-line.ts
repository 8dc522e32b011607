export type CsvValue = string | number | boolean | null

/** One RFC 4180 record with its line end. An apostrophe keeps spreadsheets from reading text as a formula. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

/** Spreadsheets also accept full-width signs, and skip a tab or line end before them. */
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/

function cell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
