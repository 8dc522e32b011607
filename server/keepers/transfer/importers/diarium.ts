import { basename } from 'node:path/posix'
import type { NoteText } from '../import-notes.ts'
import { readJsonValues } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import {
  type ForeignObject,
  hashContent,
  toInstant,
  toList,
  toNames,
  toNumber,
  toObject,
  toPosition,
  toText,
} from './foreign-values.ts'
import { noteToMarkdown } from './html-to-markdown.ts'
import type { ImportedEntry, Importer, ReadContext } from './importer.ts'
import { readEntries } from './read-entries.ts'

// Diarium's JSON export: a list of entries, or one file per entry, and in `media` one folder per entry named after its
// date. Mini Diarium and Mini Diary are other apps, which export a list of entries, or entries by day, without files.

const maxFiles = 100_000
const maxRecognitionFiles = 20

export const diarium: Importer = {
  kind: 'diarium',
  async recognizes(zip) {
    for (const name of listFiles(zip).slice(0, maxRecognitionFiles))
      if ((await detectFormat(zip, name)) !== undefined) return true
    return false
  },
  async *read(zip, context) {
    const sources: { name: string; format: Format }[] = []
    for (const name of listFiles(zip)) {
      const format = await detectFormat(zip, name)
      if (format) sources.push({ name, format })
    }
    const times: string[] = []
    for (const { name, format } of sources)
      for await (const { value } of readJsonValues(zip, name, [format.path]))
        times.push(toDigits(toObject(value)?.date))
    const files = assignFiles(zip, times, context)
    for (const { name, format } of sources)
      yield* readEntries(readJsonValues(zip, name, [format.path]), `${name}, entry`, context, (entry, _, keys) =>
        format.app === 'Diarium'
          ? readDiariumEntry(entry, { ...context, files })
          : readMiniEntry(entry, { ...context, day: keys.at(-1), app: format.app }),
      )
  },
}

interface Format {
  app: string
  path: string
}

const listFiles = (zip: ZipReader) =>
  zip
    .list(/\.json$/i)
    .filter((name) => !/(?:^|\/)media\//i.test(name))
    .slice(0, maxFiles)

/** Other apps write lists of objects, too. */
async function detectFormat(zip: ZipReader, name: string): Promise<Format | undefined> {
  const head = await zip.readHead(name)
  const app = /"application"\s*:\s*"(Mini Diar(?:ium|y))"/.exec(head)?.[1]
  if (app !== undefined) return { app, path: '$.entries.*' }
  const isDiarium = /"date"\s*:\s*"\d{4}-/.test(head) && /"heading"\s*:/.test(head) && /"html"\s*:/.test(head)
  if (!isDiarium) return undefined
  return { app: 'Diarium', path: /^\s*\[/.test(head) ? '$.*' : '$' }
}

const diariumNotes = {
  field: { one: '1 value of a field isn’t imported.', many: '# values of fields aren’t imported.' },
  unassigned: {
    one: '1 file is left out, because its date doesn’t match exactly one entry.',
    many: '# files are left out, because their dates don’t match exactly one entry.',
  },
} satisfies Record<string, NoteText>

const dayLength = 8
const secondLength = 14
/** Up to 100 nanoseconds. */
const maxTimeLength = 21

const toDigits = (date: unknown) => (toText(date) ?? '').replace(/\D/g, '').slice(0, maxTimeLength)

/** A folder is named after the time of an entry, with more or fewer digits of the second, or only after its day. */
function assignFiles(zip: ZipReader, times: readonly string[], { notes }: ReadContext): Map<string, string[]> {
  const timesByPrefix = new Map<string, Set<string>>()
  for (const time of times)
    for (const length of [dayLength, secondLength]) {
      const prefix = time.slice(0, length)
      if (prefix.length === length) timesByPrefix.set(prefix, (timesByPrefix.get(prefix) ?? new Set()).add(time))
    }
  const countByTime = new Map<string, number>()
  for (const time of times) countByTime.set(time, (countByTime.get(time) ?? 0) + 1)
  const filesByTime = new Map<string, string[]>()
  for (const name of zip.names.filter((file) => !/\.json$/i.test(file)).sort()) {
    const folder = name.split('/').find((part) => /^\d{4}-\d{2}-\d{2}/.test(part))
    if (folder === undefined) continue
    const digits = toDigits(/^[\d_.:T-]+/.exec(folder)?.[0])
    const prefixLength = digits.length < secondLength ? dayLength : secondLength
    const candidates = timesByPrefix.get(digits.slice(0, prefixLength)) ?? []
    const matches = [...candidates].filter((time) => time.startsWith(digits) || digits.startsWith(time))
    const [time = ''] = matches
    if (matches.length !== 1 || countByTime.get(time) !== 1) notes.add(diariumNotes.unassigned, name)
    else filesByTime.set(time, [...(filesByTime.get(time) ?? []), name])
  }
  return filesByTime
}

const importedFields = new Set(['date', 'heading', 'html', 'rating', 'tags', 'people', 'location', 'weather'])
/** Computed by the app from date and place. */
const computedFields = new Set(['sun', 'lunar'])

export function readDiariumEntry(
  entry: ForeignObject,
  { notes, timezone, files }: ReadContext & { files: ReadonlyMap<string, string[]> },
): ImportedEntry | undefined {
  const occurredAt = toInstant(entry.date, timezone)
  if (occurredAt === undefined) return undefined
  for (const [name, field] of Object.entries(entry))
    if (!importedFields.has(name) && !computedFields.has(name) && toList(field).length > 0)
      notes.add(diariumNotes.field, name.slice(0, 40))
  const contentHash = hashContent(JSON.stringify([entry.date, entry.heading, entry.html]), 16)
  return {
    sourceId: `${(toText(entry.date) ?? '').slice(0, 40)} ${contentHash}`,
    group: 'Diarium',
    occurredAt,
    title: toText(entry.heading),
    text: noteToMarkdown(toText(entry.html) ?? '').trim(),
    topics: [...toNames(entry.tags), ...toNames(entry.people)],
    mood: readRating(entry.rating),
    place: readPlace(entry.location),
    weather: readWeather(entry.weather),
    files: (files.get(toDigits(entry.date)) ?? []).map((file) => ({ file, name: basename(file) })),
  }
}

/** Stars of the day; 0 is none. */
function readRating(value: unknown): ImportedEntry['mood'] {
  const rating = toNumber(value)
  if (rating === undefined || rating <= 0 || rating > 5) return undefined
  return { score: Math.min(Math.max(Math.round(rating) - 3, -2), 2), label: `Rated ${rating} of 5` }
}

/** A pair of latitude and longitude, an object, or a name. */
function readPlace(value: unknown): ImportedEntry['place'] {
  const [lat, lng] = Array.isArray(value) ? value.map(toNumber) : []
  if (lat !== undefined && lng !== undefined) return { lat, lng }
  const location = toObject(value)
  if (!location) return Array.isArray(value) || toText(value) === undefined ? undefined : { name: toText(value) }
  return { name: toText(location.name) ?? toText(location.address), ...toPosition(location) }
}

function readWeather(value: unknown): ImportedEntry['weather'] {
  const condition = toText(value)
  const degrees = /(-?\d{1,3}(?:[.,]\d{1,2})?)\s?°\s?([CF])\b/.exec(condition?.replace('−', '-').slice(0, 200) ?? '')
  const number = toNumber(degrees?.[1])
  const tempC = number !== undefined && degrees?.[2] === 'F' ? Math.round(((number - 32) * 50) / 9) / 10 : number
  return condition === undefined ? undefined : { tempC, condition, source: 'Diarium' }
}

export function readMiniEntry(
  entry: ForeignObject,
  { timezone, day, app }: Pick<ReadContext, 'timezone'> & { day: unknown; app: string },
): ImportedEntry | undefined {
  // In an export by day, the key of an entry is its date.
  const date = toText(entry.date) ?? (typeof day === 'string' ? day : undefined)
  const occurredAt = toInstant(date, timezone)
  if (date === undefined || occurredAt === undefined) return undefined
  return {
    sourceId: `${date.slice(0, 40)} ${toText(entry.id)?.slice(0, 40) ?? ''}`.trim(),
    group: app,
    occurredAt,
    modifiedAt: readChangeTime(entry.dateUpdated),
    title: toText(entry.title),
    text: noteToMarkdown(toText(entry.text) ?? '').trim(),
    topics: toNames(entry.tags),
  }
}

/** An ISO time, or the format of JavaScript's `Date.toString`. */
function readChangeTime(value: unknown): number | undefined {
  const printed = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}/.exec(toText(value) ?? '')
  const instant = printed ? Date.parse(printed[0]) : toInstant(value)
  return Number.isNaN(instant) ? undefined : instant
}
