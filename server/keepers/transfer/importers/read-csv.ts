import { parse } from 'csv-parse'
import { Problem } from '#server/http/problem.ts'
import type { ZipReader } from '../zip-reader.ts'

const maxRowBytes = 4 * 1024 * 1024
const headBytes = 16 * 1024

/** Yields the rows below the header, keyed by lowercase column name. @throws Problem 422 for a file that isn't CSV */
export async function* readCsv(zip: ZipReader, name: string): AsyncGenerator<Record<string, string>> {
  const parser = parse({
    bom: true,
    columns: (header: string[]) => header.map((column) => column.trim().toLowerCase()),
    delimiter: detectSeparator((await zip.head(name, headBytes)).toString('utf8')),
    max_record_size: maxRowBytes,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const source = await zip.openStream(name)
  source.on('error', (error) => parser.destroy(error))
  try {
    for await (const row of source.pipe(parser)) yield row as Record<string, string>
  } catch (error) {
    throw new Problem('unprocessable', {
      message: `${name} in this zip isn’t valid CSV, or it’s damaged.`,
      cause: error,
    })
  } finally {
    source.destroy()
  }
}

/** The delimiter: the most frequent of comma, semicolon and tab in the header. */
export function detectSeparator(head: string): string {
  const header = head.split(/[\r\n]/)[0] ?? ''
  const [best = ','] = [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)
  return best
}
