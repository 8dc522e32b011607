import { getInstant, getLocalDay } from '#contract/keepers/local-time.ts'
import { trimEndMatching } from '#contract/trim-end.ts'
import { Problem } from '#server/http/problem.ts'
import { type ImportNotes, type NoteText, noteTexts } from '../import-notes.ts'
import { maxTitleLength } from '../import-plan.ts'
import { readJsonArray } from '../read-json-array.ts'
import { parseTimezone } from '../to-moment-part.ts'
import type { ZipReader } from '../zip-reader.ts'
import { readRichText } from './day-one-rich-text.ts'
import {
  type ForeignObject,
  toBoolean,
  toCount,
  toInstant,
  toList,
  toNames,
  toNumber,
  toObject,
  toText,
} from './foreign-values.ts'
import { formatEntryLink, type ImportedEntry, type ImportedFile, type Importer, type ReadContext } from './importer.ts'
import { removeNeedlessEscapes } from './markdown-links.ts'

// Day One's JSON export: one JSON file per journal, and the folders photos, videos, audios and pdfs with files named by
// their MD5.

const maxJournals = 1000
const headBytes = 64 * 1024

export const dayOne: Importer = {
  kind: 'day-one',
  async recognizes(zip) {
    for (const name of listJournals(zip).slice(0, maxJournals))
      if (isJournal((await zip.head(name, headBytes)).toString('utf8'))) return true
    return false
  },
  async *read(zip, context) {
    const names = listJournals(zip)
    if (names.length > maxJournals)
      throw new Problem('unprocessable', { message: `This zip contains more than ${maxJournals} journals.` })
    const files = indexFiles(zip)
    for (const name of names) {
      const group = name.replace(/\.json$/i, '').slice(0, maxTitleLength)
      let position = 0
      for await (const value of readJsonArray(zip, name, '$.entries.*')) {
        position += 1
        const entry = readEntry(value, { ...context, group, files, label: `${name}, entry ${position}` })
        if (entry) yield entry
      }
    }
  },
}

function listJournals(zip: ZipReader): string[] {
  return zip.names.filter((name) => /^[^/]+\.json$/i.test(name)).sort()
}

/** Other apps write lists called entries, too. */
function isJournal(head: string): boolean {
  const entries = /"entries"\s*:\s*\[\s*(\]|.)/s.exec(head)
  return entries !== null && (entries[1] === ']' || /"(creationDate|richText|isPinned|starred)"\s*:/.test(head))
}

/** Files by folder and MD5: the type an entry names may be a codec (`aac`) and not the ending (`m4a`). */
function indexFiles(zip: ZipReader): Map<string, string> {
  return new Map(
    zip.names.flatMap((name) => {
      const file = /^(photos|videos|audios|pdfs)\/(.+)\.[^./]*$/i.exec(name)
      return file ? [[`${file[1]}/${file[2]}`.toLowerCase(), name] as const] : []
    }),
  )
}

interface EntryContext extends Pick<ReadContext, 'notes' | 'timezone'> {
  group: string
  files: ReadonlyMap<string, string>
  label: string
}

export function readEntry(value: unknown, context: EntryContext): ImportedEntry | undefined {
  const { notes, group, label } = context
  const entry = toObject(value)
  const location = toObject(entry?.location)
  const timezone =
    readTimezone(entry?.timeZone) ??
    readTimezone(location?.timeZoneName) ??
    readTimezone(toObject(location?.timeZone)?.identifier)
  const createdAt = toInstant(entry?.creationDate, timezone ?? context.timezone)
  if (!entry || createdAt === undefined) {
    notes.add(entry ? noteTexts.noDate : noteTexts.notAnObject, label)
    return undefined
  }
  const isAllDay = readField(entry, 'isAllDay', toBoolean, notes, dayOneNotes.flag, label)
  const zone = timezone ?? context.timezone
  const occurredAt = isAllDay ? getInstant(zone, getLocalDay(zone, createdAt), '12:00') : createdAt
  return {
    sourceId: toText(entry.uuid)?.slice(0, 200) ?? `${group} ${String(entry.creationDate)} ${label}`.slice(0, 200),
    group,
    occurredAt,
    timezone,
    modifiedAt: readField(entry, 'modifiedDate', (date) => toInstant(date, zone), notes, noteTexts.modified, label),
    text: readText(entry, context),
    topics: readTags(entry, notes, label),
    place: readPlace(entry, notes, label),
    weather: readWeather(entry, notes, label),
    pinned: ['starred', 'pinned', 'isPinned'].some((name) =>
      readField(entry, name, toBoolean, notes, dayOneNotes.flag, label),
    ),
    files: readFiles(entry, context),
  }
}

const dayOneNotes = {
  flag: {
    one: '1 yes-or-no value (favorite, all-day) couldn’t be read.',
    many: '# yes-or-no values (favorite, all-day) couldn’t be read.',
  },
  tags: { one: '1 list of tags couldn’t be read.', many: '# lists of tags couldn’t be read.' },
  richText: {
    one: 'The formatting of 1 entry couldn’t be read; its plain text is imported.',
    many: 'The formatting of # entries couldn’t be read; their plain text is imported.',
  },
  size: { one: '1 picture size or duration couldn’t be read.', many: '# picture sizes or durations couldn’t be read.' },
} satisfies Record<string, NoteText>

/** An absent, null or empty value is no fault; any other that `parse` can't use is left out alone and counted. */
function readField<T>(
  object: ForeignObject,
  name: string,
  parse: (value: unknown) => T | undefined,
  notes: ImportNotes,
  text: NoteText,
  label: string,
): T | undefined {
  const value = object[name]
  if (value === undefined || value === null || value === '') return undefined
  const read = parse(value)
  if (read === undefined) notes.add(text, label)
  return read
}

function readTimezone(value: unknown): string | undefined {
  const name = toText(value) ?? toText(toObject(value)?.identifier) ?? toText(toObject(value)?.name)
  return name === undefined ? undefined : parseTimezone(name)
}

function readTags(entry: ForeignObject, notes: ImportNotes, label: string): string[] {
  return (
    readField(
      entry,
      'tags',
      (value) => {
        const names = toNames(value)
        return names.length > 0 || toList(value).length === 0 ? names : undefined
      },
      notes,
      dayOneNotes.tags,
      label,
    ) ?? []
  )
}

function readPlace(entry: ForeignObject, notes: ImportNotes, label: string): ImportedEntry['place'] {
  const location = readField(
    entry,
    'location',
    (value) => toObject(value) ?? toText(value),
    notes,
    noteTexts.place,
    label,
  )
  if (location === undefined) return undefined
  if (typeof location === 'string') return { name: location }
  const center = toObject(toObject(location.region)?.center)
  const read = (object: ForeignObject, name: string) => readField(object, name, toNumber, notes, noteTexts.place, label)
  const parts = ['placeName', 'localityName', 'country'].map((name) =>
    readField(location, name, toText, notes, noteTexts.place, label),
  )
  const region = toText(toObject(location.region)?.identifier)
  const names = [...new Set(parts.filter((part) => part !== undefined))]
  return {
    name: names.length > 0 ? names.join(', ') : region && !/^[<\d\s.,+-]/.test(region) ? region : undefined,
    lat: read(location, 'latitude') ?? (center && read(center, 'latitude')),
    lng: read(location, 'longitude') ?? (center && read(center, 'longitude')),
  }
}

function readWeather(entry: ForeignObject, notes: ImportNotes, label: string): ImportedEntry['weather'] {
  const weather = readField(entry, 'weather', toObject, notes, noteTexts.weather, label)
  if (!weather) return undefined
  const toCondition = (value: unknown) => (/\p{L}/u.test(toText(value) ?? '') ? toText(value) : undefined)
  return {
    tempC: readField(weather, 'temperatureCelsius', toNumber, notes, noteTexts.weather, label),
    condition:
      readField(weather, 'conditionsDescription', toCondition, notes, noteTexts.weather, label) ??
      readField(weather, 'weatherCode', toCondition, notes, noteTexts.weather, label),
    source: 'Day One',
  }
}

const mediaFolders = { photos: 'photos', videos: 'videos', audios: 'audios', pdfAttachments: 'pdfs' } as const

function readFiles(entry: ForeignObject, { files, notes, label }: EntryContext): ImportedFile[] {
  return Object.entries(mediaFolders)
    .flatMap(([kind, folder]) => toList(entry[kind]).map((value) => ({ folder, media: toObject(value) ?? {} })))
    .map(({ folder, media }) => ({ folder, media, order: toNumber(media.orderInEntry) ?? 0 }))
    .sort((a, b) => a.order - b.order)
    .map(({ folder, media }) => {
      const md5 = toText(media.md5) ?? toText(media.identifier)
      const size = (name: string, factor = 1) =>
        readField(
          media,
          name,
          (value) => (toNumber(value) === 0 ? 0 : toCount(Number(toNumber(value)) * factor)),
          notes,
          dayOneNotes.size,
          label,
        )
      return {
        file: md5 === undefined ? undefined : (files.get(`${folder}/${md5}`.toLowerCase()) ?? `${folder}/${md5}`),
        name: toText(media.filename) ?? toText(media.pdfName) ?? toText(media.title) ?? toText(media.name),
        alt: toText(media.caption),
        width: size('width') || undefined,
        height: size('height') || undefined,
        durationMs: size('duration', 1000) || undefined,
      }
    })
}

/** The first of both texts that has words. */
function readText(entry: ForeignObject, { notes, label }: EntryContext): string {
  const plain = cleanText(toText(entry.text) ?? '')
  if (plain !== '') return plain
  const rich = entry.richText === undefined || entry.richText === null ? '' : readRichText(entry.richText)
  if (rich === undefined) notes.add(dayOneNotes.richText, label)
  return cleanText(rich ?? '')
}

// The bounded lengths prevent quadratic backtracking on many open brackets.
const mediaReference = /!\[[^\]\n[]{0,200}\]\(dayone-[^)\n]{0,200}\)[^\S\n]*\n?/gi
const entryReference = /\[((?:[^\]\\\n[]|\\.){0,500})\]\(dayone2?:\/\/[^)\s]{0,300}\)/gi
const bareReference = /dayone2?:\/\/[^\s)<>"\]]{0,300}/gi

/** Without placeholders of files and needless escapes; links to entries get their form for all importers. */
export function cleanText(text: string): string {
  const linked = text
    .replace(mediaReference, '')
    .replace(entryReference, (link, label: string) => formatEntryLink(label, getEntryId(link)))
    .replace(bareReference, (link) => {
      const end = link.slice(trimEndMatching(link, /[.,;:!?]/).length)
      return formatEntryLink('Day One entry', getEntryId(link)) + end
    })
  return removeNeedlessEscapes(linked).trim()
}

function getEntryId(address: string): string {
  return /[?&]entryId=([\w-]{1,200})/i.exec(address)?.[1] ?? ''
}
