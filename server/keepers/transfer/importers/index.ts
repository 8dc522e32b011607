import { type ForeignImportKind, foreignImportKinds, type ImportKind } from '#contract/keepers/transfer.ts'
import type { ZipReader } from '../zip-reader.ts'
import { dayOne } from './day-one.ts'
import type { Importer } from './importer.ts'

export const importers: Record<ForeignImportKind, Importer> = {
  'day-one': dayOne,
}

export async function recognizeImport(zip: ZipReader): Promise<ImportKind | undefined> {
  if (zip.getSize('keeper.json') !== undefined) return 'keeper-zip'
  for (const kind of foreignImportKinds) if (await importers[kind].recognizes(zip)) return kind
  return undefined
}
