import { truncate } from '#contract/truncate.ts'
import { Problem } from '#server/http/problem.ts'
import { assertStorable } from './assert-storable.ts'
import {
  type DayOneEntry,
  dayOneEntry,
  dayOneJournal,
  filesOf,
  mostTags,
  tagsOf,
  underItsEnding,
  wordsOf,
} from './day-one-format.ts'
import { emptyPreview, type ImportPart, type ImportPlan, type Into, longestTitle } from './import-plan.ts'
import { jsonIn } from './json-in-zip.ts'
import { isInZip, mostFiles } from './media-in-zip.ts'
import type { ZipReader } from './zip-reader.ts'

const longestBody = 200_000
const maxJournals = 1000

/** JSON files at the root of a Day One export. */
export function journalsIn(zip: ZipReader): string[] {
  return zip.names.filter((name) => /^[^/]+\.json$/i.test(name) && name !== 'keeper.json').sort()
}

/**
 * Turns each entry of a Day One export into a moment. Without a keeper nothing counts as a duplicate.
 * @param importedIds uuids of the imported entries
 * @throws Problem 422 when no journal can be read
 */
export async function planDayOne(
  zip: ZipReader,
  into: Into | undefined,
  there: ReadonlySet<string>,
): Promise<ImportPlan> {
  const names = journalsIn(zip)
  if (names.length > maxJournals)
    throw new Problem('unprocessable', { message: `This zip contains more than ${maxJournals} journals.` })
  const journals = []
  for (const name of names) journals.push(await readJournal(zip, name))
  if (journals.length === 0) throw new Problem('unprocessable', { message: 'This zip contains no Day One journal.' })
  const preview = { ...emptyPreview, parts: journals.map(({ title, entries }) => ({ title, entries: entries.length })) }
  const parts: ImportPart[] = []
  const seen = new Set<string>()
  const strange = journals.reduce((sum, { unreadable }) => sum + unreadable, 0)
  const unshown = new Set<string>()
  const shortened = { texts: 0, files: 0, tags: 0 }
  for (const entry of journals.flatMap(({ entries }) => entries)) {
    preview.entries += 1
    if (there.has(entry.uuid) || seen.has(entry.uuid)) {
      preview.duplicates += 1
      continue
    }
    seen.add(entry.uuid)
    const allFiles = filesOf(entry).map((file) => underItsEnding(file, (name) => zip.sizeOf(name) !== undefined))
    const files = allFiles.slice(0, mostFiles)
    const words = wordsOf(entry)
    if (words.length > longestBody) shortened.texts += 1
    if (allFiles.length > mostFiles) shortened.files += 1
    if (tagsOf(entry).length > mostTags) shortened.tags += 1
    preview.media += files.length
    preview.missingMedia += files.filter((file) => !isInZip(zip, file)).length
    for (const { file, mime } of files) if (!mime) unshown.add(file.replace(/^.*\./, ''))
    const at = new Date(entry.creationDate).toISOString()
    if (preview.from === null || at < preview.from) preview.from = at
    if (preview.to === null || at > preview.to) preview.to = at
    if (!into) continue
    const { text: _, richText: __, ...rest } = entry
    parts.push({ kind: 'day-one', into, entry: rest, words: truncate(words, longestBody).toWellFormed(), files })
  }
  const { texts, files, tags } = shortened
  const notes = [
    strange > 0 && `${entriesThat(strange, "can't be read and is", "can't be read and are")} left out.`,
    unshown.size > 0 && `Files of these kinds are left out: ${[...unshown].sort().join(', ')}.`,
    texts > 0 &&
      `${entriesThat(texts, 'is', 'are')} longer than ${longestBody.toLocaleString('en-US')} characters; the rest is left out.`,
    files > 0 &&
      `${entriesThat(files, 'has', 'have')} more than ${mostFiles} files; only the first ${mostFiles} are imported.`,
    tags > 0 &&
      `${entriesThat(tags, 'has', 'have')} more than ${mostTags} tags; only the first ${mostTags} are imported.`,
  ]
  preview.notes = notes.filter((note) => note !== false)
  return { preview, parts, keeperIds: into ? [into.id] : [] }
}

const entriesThat = (count: number, verb: string, verbOfSeveral: string) =>
  count === 1 ? `1 entry ${verb}` : `${count.toLocaleString('en-US')} entries ${verbOfSeveral}`

async function readJournal(zip: ZipReader, name: string) {
  const title = name.replace(/\.json$/i, '').slice(0, longestTitle)
  const given = await jsonIn(zip, name)
  const journal = dayOneJournal.safeParse(given)
  if (!journal.success) throw new Problem('unprocessable', { message: `${name} in this zip isn't a Day One journal.` })
  const read = journal.data.entries.map((entry) => dayOneEntry.safeParse(entry))
  const entries = read.flatMap((one) => (one.success && isKeepable(one.data) ? [one.data] : []))
  return { title, entries, unreadable: read.length - entries.length }
}

function isKeepable(entry: DayOneEntry): boolean {
  try {
    assertStorable(entry)
    return wordsOf(entry) !== '' || filesOf(entry).length > 0
  } catch {
    return false
  }
}
