import { getInstant, getLocalDay } from '#contract/keepers/local-time.ts'
import { trimEndMatching } from '#contract/linear-text.ts'
import { Problem } from '#server/http/problem.ts'
import { type NoteText, noteTexts } from '../import-notes.ts'
import { maxTitleLength } from '../import-plan.ts'
import { readJsonValues } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import { readRichText } from './day-one-rich-text.ts'
import {
  type ForeignObject,
  parseTimezone,
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
import { noteUnusedFiles, readEntries } from './read-entries.ts'

// Day One's JSON export: one JSON file per journal, and folders for photos, videos, audios and pdfs, whose files are
// named by MD5.

const maxJournals = 1000

export const dayOne: Importer = {
  kind: 'day-one',
  recognizes: (zip) => zip.someHeadMatches(listJournals(zip).slice(0, maxJournals), isJournal),
  async *read(zip, context) {
    const names = listJournals(zip)
    if (names.length > maxJournals)
      throw new Problem('unprocessable', { message: `This zip contains more than ${maxJournals} journals.` })
    const files = indexFiles(zip)
    yield* noteUnusedFiles(readJournals(zip, names, files, context), files.values(), context.notes)
  },
}

async function* readJournals(
  zip: ZipReader,
  names: readonly string[],
  files: EntryContext['files'],
  context: ReadContext,
): AsyncGenerator<ImportedEntry> {
  for (const name of names) {
    const group = name.replace(/\.json$/i, '').slice(0, maxTitleLength)
    yield* readEntries(readJsonValues(zip, name, ['$.entries.*']), `${name}, entry`, context, (entry, label) =>
      readEntry(entry, { ...context, group, files, label }),
    )
  }
}

const listJournals = (zip: ZipReader) => zip.list(/^[^/]+\.json$/i)

/** Exports of other apps also have a list called `entries`; those of jrnl have starred entries, with a `time`. */
function isJournal(head: string): boolean {
  if (/"time"\s*:\s*"\d\d:\d\d"/.test(head)) return false
  const entries = /"entries"\s*:\s*\[\s*(\]|.)/s.exec(head)
  return entries !== null && (entries[1] === ']' || /"(creationDate|richText|isPinned|starred)"\s*:/.test(head))
}

/** Files by folder and MD5, without the extension, because an entry can name the codec (`aac`) of an `m4a` file. */
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

export function readEntry(entry: ForeignObject, context: EntryContext): ImportedEntry | undefined {
  const { group, label } = context
  const location = toObject(entry.location)
  const timezone =
    readTimezone(entry.timeZone) ??
    readTimezone(location?.timeZoneName) ??
    readTimezone(toObject(location?.timeZone)?.identifier)
  const zone = timezone ?? context.timezone
  const createdAt = toInstant(entry.creationDate, zone)
  if (createdAt === undefined) return undefined
  const readField = createFieldReader(context)
  const isAllDay = readField(entry, 'isAllDay', toBoolean, dayOneNotes.flag)
  return {
    sourceId: toText(entry.uuid)?.slice(0, 200) ?? `${group} ${String(entry.creationDate)} ${label}`.slice(0, 200),
    group,
    occurredAt: isAllDay ? getInstant(zone, getLocalDay(zone, createdAt), '12:00') : createdAt,
    timezone,
    modifiedAt: readField(entry, 'modifiedDate', (date) => toInstant(date, zone), noteTexts.modified),
    text: readText(entry, context),
    topics: readField(entry, 'tags', toTags, dayOneNotes.tags),
    place: readPlace(entry, readField),
    weather: readWeather(entry, readField),
    pinned: ['starred', 'pinned', 'isPinned'].some((name) => readField(entry, name, toBoolean, dayOneNotes.flag)),
    files: readFiles(entry, context.files, readField),
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

type FieldReader = ReturnType<typeof createFieldReader>

/** Reads one field. A value that `parse` can't read is skipped and noted, unless it is empty. */
function createFieldReader({ notes, label }: EntryContext) {
  return <T>(
    object: ForeignObject | undefined,
    name: string,
    parse: (value: unknown) => T | undefined,
    text: NoteText,
  ): T | undefined => {
    const value = object?.[name]
    if (value === undefined || value === null || value === '') return undefined
    const parsed = parse(value)
    if (parsed === undefined) notes.add(text, label)
    return parsed
  }
}

function readTimezone(value: unknown): string | undefined {
  const name = toText(value) ?? toText(toObject(value)?.identifier) ?? toText(toObject(value)?.name)
  return name === undefined ? undefined : parseTimezone(name)
}

function toTags(value: unknown): string[] | undefined {
  const names = toNames(value)
  return names.length > 0 || toList(value).length === 0 ? names : undefined
}

function readPlace(entry: ForeignObject, read: FieldReader): ImportedEntry['place'] {
  const location = read(entry, 'location', (value) => toObject(value) ?? toText(value), noteTexts.place)
  if (location === undefined) return undefined
  if (typeof location === 'string') return { name: location }
  const region = toObject(location.region)
  const center = toObject(region?.center)
  const readDegrees = (name: string) =>
    read(location, name, toNumber, noteTexts.place) ?? read(center, name, toNumber, noteTexts.place)
  const parts = ['userLabel', 'placeName', 'localityName', 'country'].map((name) =>
    read(location, name, toText, noteTexts.place),
  )
  const names = new Set(parts.filter((part) => part !== undefined))
  const regionName = toText(region?.identifier)
  // Some identifiers are coordinates.
  const isPlaceName = regionName !== undefined && !/^[<\d\s.,+-]/.test(regionName)
  return {
    name: [...names].join(', ') || (isPlaceName ? regionName : undefined),
    lat: readDegrees('latitude'),
    lng: readDegrees('longitude'),
  }
}

function readWeather(entry: ForeignObject, read: FieldReader): ImportedEntry['weather'] {
  const weather = read(entry, 'weather', toObject, noteTexts.weather)
  if (!weather) return undefined
  const toCondition = (value: unknown) => (/\p{L}/u.test(toText(value) ?? '') ? toText(value) : undefined)
  return {
    tempC: read(weather, 'temperatureCelsius', toNumber, noteTexts.weather),
    condition:
      read(weather, 'conditionsDescription', toCondition, noteTexts.weather) ??
      read(weather, 'weatherCode', toCondition, noteTexts.weather),
    source: 'Day One',
  }
}

/** 0 means unknown, which needs no note. */
const toSize = (value: unknown) => (toNumber(value) === 0 ? 0 : toCount(value))
function toMilliseconds(value: unknown): number | undefined {
  const seconds = toNumber(value)
  return seconds === undefined ? undefined : toSize(seconds * 1000)
}

const mediaFolders = { photos: 'photos', videos: 'videos', audios: 'audios', pdfAttachments: 'pdfs' } as const

function readFiles(entry: ForeignObject, files: EntryContext['files'], read: FieldReader): ImportedFile[] {
  const getOrder = (media: ForeignObject) => toNumber(media.orderInEntry) ?? 0
  const attachments = Object.entries(mediaFolders)
    .flatMap(([kind, folder]) => toList(entry[kind]).map((value) => ({ folder, media: toObject(value) ?? {} })))
    .sort((left, right) => getOrder(left.media) - getOrder(right.media))
  // The ids of copied pictures differ from those in the text, so only the numbers can be compared.
  const mentions = new Set(Array.from((toText(entry.text) ?? '').matchAll(mediaReference), ([, id = '']) => id))
  const missing = [...mentions].slice(attachments.length).map((id) => ({ file: `photos/${id}` }))
  return attachments
    .map(({ folder, media }): ImportedFile => {
      const md5 = toText(media.md5) ?? toText(media.identifier)
      return {
        file: md5 === undefined ? undefined : (files.get(`${folder}/${md5}`.toLowerCase()) ?? `${folder}/${md5}`),
        name: toText(media.filename) ?? toText(media.pdfName) ?? toText(media.title) ?? toText(media.name),
        alt: toText(media.caption),
        width: read(media, 'width', toSize, dayOneNotes.size) || undefined,
        height: read(media, 'height', toSize, dayOneNotes.size) || undefined,
        durationMs: read(media, 'duration', toMilliseconds, dayOneNotes.size) || undefined,
      }
    })
    .concat(missing)
}

/** The plain text, or the rich text if there is none. */
function readText(entry: ForeignObject, { notes, label }: EntryContext): string {
  const plain = cleanDayOneText(toText(entry.text) ?? '')
  if (plain !== '') return plain
  const rich = entry.richText === undefined || entry.richText === null ? '' : readRichText(entry.richText)
  if (rich === undefined) notes.add(dayOneNotes.richText, label)
  return cleanDayOneText(rich ?? '')
}

// The bounded lengths prevent quadratic backtracking on many open brackets.
const mediaReference = /!\[[^\]\n[]{0,200}\]\(dayone-[^)\n]{0,160}?\/([^/)\n]{0,40})\)[^\S\n]*\n?/gi
const entryReference = /\[((?:[^\]\\\n[]|\\.){0,500})\]\(dayone2?:\/\/[^)\s]{0,300}\)/gi
const bareReference = /dayone2?:\/\/[^\s)<>"\]]{0,300}/gi

/** Removes file placeholders and needless escapes, and converts links to entries to the form that all importers use. */
export function cleanDayOneText(text: string): string {
  const linked = text
    .replace(mediaReference, '')
    .replace(entryReference, (link, label: string) => formatEntryLink(label, getEntryId(link)))
    .replace(bareReference, (link) => {
      const trailingPunctuation = link.slice(trimEndMatching(link, /[.,;:!?]/).length)
      return formatEntryLink('Day One entry', getEntryId(link)) + trailingPunctuation
    })
  return removeNeedlessEscapes(linked).trim()
}

function getEntryId(address: string): string {
  return /[?&]entryId=([\w-]{1,200})/i.exec(address)?.[1] ?? ''
}
