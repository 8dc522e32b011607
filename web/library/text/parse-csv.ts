import { detectCsvDialect } from './csv-dialect.ts'
import { readCsvRows } from './csv-rows.ts'

export function parseCsv(text: string, maxRows = Number.POSITIVE_INFINITY): string[][] {
  return readCsvRows(text, detectCsvDialect(text), maxRows)
}
