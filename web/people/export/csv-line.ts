/** Spreadsheets also read the full-width signs as formulas, and skip a tab or line end before them. */
const formula = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** One record of RFC 4180, made harmless as the server's own files are (server/http/csv.ts); the test holds them equal. */
export function csvLine(values: readonly string[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

function cell(value: string): string {
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
