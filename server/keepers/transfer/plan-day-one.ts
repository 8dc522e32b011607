import { truncate } from '#contract/truncate.ts'
import { Problem } from '#server/http/problem.ts'
import { assertStorable } from './assert-storable.ts'
import {
  type DayOneEntry,
  dayOneEntry,
  dayOneJournal,
  getFiles,
  getTags,
  getText,
  maxTags,
  resolveExtension,
} from './day-one-format.ts'
import { emptyPreview, type ImportPart, type ImportPlan, type ImportTarget, maxTitleLength } from './import-plan.ts'
import { isInZip, maxFilesPerEntry } from './media-in-zip.ts'
import { readJsonInZip } from './read-json-in-zip.ts'
import type { ZipReader } from './zip-reader.ts'

const maxBodyLength = 200_000
const maxJournals = 1000

export function listJournals(zip: ZipReader): string[] {
  return zip.names.filter((name) => /^[^/]+\.json$/i.test(name) && name !== 'keeper.json').sort()
}

/** Without a keeper nothing counts as a duplicate. @throws Problem 422 when no journal can be read */
export async function planDayOne(
  zip: ZipReader,
  into: ImportTarget | undefined,
  importedIds: ReadonlySet<string>,
): Promise<ImportPlan> {
  const names = listJournals(zip)
  if (names.length > maxJournals)
    throw new Problem('unprocessable', { message: `This zip contains more than ${maxJournals} journals.` })
  const journals = []
  for (const name of names) journals.push(await readJournal(zip, name))
  if (journals.length === 0) throw new Problem('unprocessable', { message: 'This zip contains no Day One journal.' })
  const preview = { ...emptyPreview, parts: journals.map(({ title, entries }) => ({ title, entries: entries.length })) }
  const parts: ImportPart[] = []
  const seenIds = new Set<string>()
  const unreadableCount = journals.reduce((total, { unreadable }) => total + unreadable, 0)
  const unsupported = new Set<string>()
  const shortened = { texts: 0, files: 0, tags: 0 }
  for (const entry of journals.flatMap(({ entries }) => entries)) {
    preview.entries += 1
    if (importedIds.has(entry.uuid) || seenIds.has(entry.uuid)) {
      preview.duplicates += 1
      continue
    }
    seenIds.add(entry.uuid)
    const allFiles = getFiles(entry).map((file) => resolveExtension(file, (name) => zip.getSize(name) !== undefined))
    const files = allFiles.slice(0, maxFilesPerEntry)
    const text = getText(entry)
    if (text.length > maxBodyLength) shortened.texts += 1
    if (allFiles.length > maxFilesPerEntry) shortened.files += 1
    if (getTags(entry).length > maxTags) shortened.tags += 1
    preview.media += files.length
    preview.missingMedia += files.filter((file) => !isInZip(zip, file)).length
    for (const { file, mime } of files) if (!mime) unsupported.add(file.replace(/^.*\./, ''))
    const at = new Date(entry.creationDate).toISOString()
    if (preview.from === null || at < preview.from) preview.from = at
    if (preview.to === null || at > preview.to) preview.to = at
    if (!into) continue
    const { text: _, richText: __, ...fields } = entry
    parts.push({ kind: 'day-one', into, entry: fields, text: truncate(text, maxBodyLength).toWellFormed(), files })
  }
  const { texts, files, tags } = shortened
  const notes = [
    unreadableCount > 0 &&
      `${formatEntryCount(unreadableCount, "can't be read and is", "can't be read and are")} left out.`,
    unsupported.size > 0 && `Files of these kinds are left out: ${[...unsupported].sort().join(', ')}.`,
    texts > 0 &&
      `${formatEntryCount(texts, 'is', 'are')} longer than ${maxBodyLength.toLocaleString('en-US')} characters; the rest is left out.`,
    files > 0 &&
      `${formatEntryCount(files, 'has', 'have')} more than ${maxFilesPerEntry} files; only the first ${maxFilesPerEntry} are imported.`,
    tags > 0 &&
      `${formatEntryCount(tags, 'has', 'have')} more than ${maxTags} tags; only the first ${maxTags} are imported.`,
  ]
  preview.notes = notes.filter((note) => note !== false)
  return { preview, parts, keeperIds: into ? [into.id] : [] }
}

const formatEntryCount = (count: number, verb: string, pluralVerb: string) =>
  count === 1 ? `1 entry ${verb}` : `${count.toLocaleString('en-US')} entries ${pluralVerb}`

async function readJournal(zip: ZipReader, name: string) {
  const title = name.replace(/\.json$/i, '').slice(0, maxTitleLength)
  const json = await readJsonInZip(zip, name)
  const journal = dayOneJournal.safeParse(json)
  if (!journal.success) throw new Problem('unprocessable', { message: `${name} in this zip isn't a Day One journal.` })
  const read = journal.data.entries.map((entry) => dayOneEntry.safeParse(entry))
  const entries = read.flatMap((one) => (one.success && isImportable(one.data) ? [one.data] : []))
  return { title, entries, unreadable: read.length - entries.length }
}

function isImportable(entry: DayOneEntry): boolean {
  try {
    assertStorable(entry)
    return getText(entry) !== '' || getFiles(entry).length > 0
  } catch {
    return false
  }
}
