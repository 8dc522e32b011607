export type CsvValue = string | number | boolean | null

/** One record of RFC 4180, its line end included; what other separators could cut is quoted too. Text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

/** Spreadsheets also read the full-width signs as formulas, and skip a tab or line end before them. */
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/

function cell(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
