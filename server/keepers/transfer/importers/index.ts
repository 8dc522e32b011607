import { type ForeignImportKind, foreignImportKinds, type ImportKind } from '#contract/keepers/transfer.ts'
import type { ZipReader } from '../zip-reader.ts'
import { appleJournal } from './apple-journal.ts'
import { chatGpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { dayOne } from './day-one.ts'
import { daylio } from './daylio.ts'
import { diarium } from './diarium.ts'
import { googleKeep } from './google-keep.ts'
import type { Importer } from './importer.ts'
import { journiv } from './journiv.ts'
import { markdown } from './markdown.ts'
import { memos } from './memos.ts'
import { notion } from './notion.ts'

export const importers: Record<ForeignImportKind, Importer> = {
  'day-one': dayOne,
  chatgpt: chatGpt,
  claude,
  'apple-journal': appleJournal,
  journiv,
  daylio,
  diarium,
  'google-keep': googleKeep,
  memos,
  notion,
  markdown,
}

export async function recognizeImport(zip: ZipReader): Promise<ImportKind | undefined> {
  if (zip.getSize('keeper.json') !== undefined) return 'keeper-zip'
  for (const kind of foreignImportKinds) if (await importers[kind].recognizes(zip)) return kind
  return undefined
}
