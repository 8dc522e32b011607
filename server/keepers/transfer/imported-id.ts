import { createHash } from 'node:crypto'

/** The id something gets in an import: the same each time the import goes on, so that nothing comes twice. */
export function importedId(jobId: string, kind: string, origin: string): string {
  return createHash('sha256').update(`${jobId}\n${kind}\n${origin}`).digest('hex').slice(0, 32)
}
