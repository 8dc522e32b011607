import { basename } from 'node:path/posix'
import { decodeBase64 } from '#server/values/decode-base64.ts'
import { type NoteText, noteTexts } from '../import-notes.ts'
import { type JsonKeys, readJsonValues } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import {
  type ForeignObject,
  hashContent,
  parseJson,
  readCsv,
  toBoolean,
  toInstant,
  toList,
  toNumber,
  toObject,
  toText,
} from './foreign-values.ts'
import { noteToMarkdown } from './html-to-markdown.ts'
import type { ImportedEntry, ImportedFile, Importer, ReadContext } from './importer.ts'
import { readEntries } from './read-entries.ts'

// Daylio's backup is a zip of backup.daylio (JSON in base64) and the assets, named by checksum. The top level of the
// JSON also has the app's PIN in plain text, which is never read. The CSV export has no files.

const recognitionBytes = 4096

export const daylio: Importer = {
  kind: 'daylio',
  async recognizes(zip) {
    for (const name of listBackups(zip)) {
      const head = Buffer.from(
        (await zip.readFirstBytes(name, recognitionBytes)).toString('latin1').replace(/\s/g, ''),
        'base64',
      )
      if (/^\s*\{/.test(head.toString('utf8'))) return true
    }
    return zip.someHeadMatches(listTables(zip), isTable)
  },
  async *read(zip, context) {
    const backups = listBackups(zip)
    for (const name of backups) yield* readBackup(zip, name, context)
    // The table has the same entries with fewer details.
    if (backups.length > 0) return
    for (const name of listTables(zip)) if (isTable(await zip.readHead(name))) yield* readTable(zip, name, context)
  },
}

const listBackups = (zip: ZipReader) => zip.list(/\.daylio$/i)
const listTables = (zip: ZipReader) => zip.list(/\.csv$/i)

function isTable(head: string): boolean {
  const [header = ''] = head.toLowerCase().split(/[\r\n]/)
  return ['full_date', 'time', 'mood'].every((column) => header.includes(column))
}

const daylioNotes = {
  time: { one: '1 time couldn’t be read; noon is used.', many: '# times couldn’t be read; noon is used.' },
  activity: { one: '1 activity isn’t in the backup.', many: '# activities aren’t in the backup.' },
  goal: { one: '1 goal isn’t imported.', many: '# goals aren’t imported.' },
} satisfies Record<string, NoteText>

const standardMoods = ['rad', 'good', 'meh', 'bad', 'awful']
/** Groups run from 1 (rad) to 5 (awful), scores from 2 to −2. */
const toScore = (group: number) => (group >= 1 && group <= 5 ? 3 - Math.round(group) : undefined)

type Mood = NonNullable<ImportedEntry['mood']>

interface Catalog {
  moods: Map<number, Mood>
  activities: Map<number | undefined, string>
  assets: Map<number | undefined, ForeignObject>
}

async function* readBackup(zip: ZipReader, name: string, context: ReadContext): AsyncGenerator<ImportedEntry> {
  // The elements of all lists, so that the size limit applies to each element even of a list that isn't needed.
  const readValues = (includes?: (keys: JsonKeys) => boolean) =>
    readJsonValues(zip, name, ['$.*.*'], { decode: decodeBase64, includes })
  const catalog: Catalog = { moods: new Map(), activities: new Map(), assets: new Map() }
  for await (const { keys, value } of readValues()) {
    const object = toObject(value) ?? {}
    const id = toNumber(object.id)
    if (keys[0] === 'goals') context.notes.add(daylioNotes.goal)
    else if (id === undefined) continue
    else if (keys[0] === 'customMoods') catalog.moods.set(id, readMood(object))
    else if (keys[0] === 'tags') catalog.activities.set(id, toText(object.name) ?? '')
    else if (keys[0] === 'assets') catalog.assets.set(id, object)
  }
  const assets = zip.names.filter((file) => /(?:^|\/)assets\//i.test(file))
  const files = new Map(assets.map((file) => [getChecksum(file), file]))
  const entries = readValues(([list]) => list === 'dayEntries')
  yield* readEntries(entries, `${name}, entry`, context, (entry, label) =>
    readEntry(entry, { ...context, catalog, files, label }),
  )
}

/** A file is named by its checksum, with or without an extension. */
const getChecksum = (file: string) =>
  basename(file)
    .toLowerCase()
    .replace(/\.[^.]*$/, '')

function readMood(mood: ForeignObject): Mood {
  const standardId = toNumber(mood.predefined_name_id) ?? -1
  return {
    label: toText(mood.custom_name) ?? standardMoods[standardId - 1],
    score: toScore(toNumber(mood.mood_group_id) ?? standardId),
  }
}

interface EntryContext extends ReadContext {
  catalog: Catalog
  files: ReadonlyMap<string, string>
  label: string
}

export function readEntry(entry: ForeignObject, context: EntryContext): ImportedEntry | undefined {
  const { notes, label, catalog } = context
  const offset = readOffset(entry.timeZoneOffset)
  const occurredAt = readChosenTime(entry, offset ?? context.timezone) ?? toInstant(toNumber(entry.datetime))
  if (occurredAt === undefined) return undefined
  const id = toNumber(entry.mood)
  const standardMood = id === undefined ? undefined : { label: standardMoods[id - 1], score: toScore(id) }
  const activities = toList(entry.tags).flatMap((tag) => {
    const name = catalog.activities.get(toNumber(tag))
    if (name === undefined) notes.add(daylioNotes.activity, label)
    return name ?? []
  })
  return {
    sourceId: `${toText(entry.id) ?? ''} ${toText(entry.datetime) ?? occurredAt}`,
    group: 'Daylio',
    occurredAt,
    timezone: offset,
    title: toText(entry.note_title),
    text: noteToMarkdown(toText(entry.note) ?? '').trim(),
    isMoodLog: true,
    topics: activities,
    mood: id === undefined ? undefined : (catalog.moods.get(id) ?? standardMood),
    pinned: toBoolean(entry.isFavorite) ?? false,
    files: readFiles(entry, context),
  }
}

/** No time zone is further from UTC. */
const maxOffsetMinutes = 1080

/** An offset such as `+01:30`, from minutes or, for larger numbers than a zone has, from milliseconds. */
function readOffset(value: unknown): string | undefined {
  const number = toNumber(value)
  if (number === undefined) return undefined
  const minutes = Math.round(Math.abs(number) > maxOffsetMinutes ? number / 60_000 : number)
  if (Math.abs(minutes) > maxOffsetMinutes) return undefined
  const [hour, minute] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) => pad(Math.floor(part)))
  return `${minutes < 0 ? '-' : '+'}${hour}:${minute}`
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** The time that the person chose; `datetime` is when they wrote. Months count from 0; an hour of −1 is none. */
function readChosenTime(entry: ForeignObject, timezone: string): number | undefined {
  const [year, month, day, hour, minute] = ['year', 'month', 'day', 'hour', 'minute'].map((name) =>
    toNumber(entry[name]),
  )
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = `${pad(year, 4)}-${pad(month + 1)}-${pad(day)}`
  const time = hour === undefined || hour < 0 || hour > 23 ? '' : `T${pad(hour)}:${pad(Math.max(minute ?? 0, 0))}`
  return toInstant(date + time, timezone)
}

function readFiles(entry: ForeignObject, { catalog, files }: EntryContext): ImportedFile[] {
  return toList(entry.assets).map((id) => {
    const asset = catalog.assets.get(toNumber(id))
    const checksum = toText(asset?.checksum)
    return {
      file: checksum === undefined ? undefined : (files.get(checksum.toLowerCase()) ?? `assets/${checksum}`),
      name: toText(toObject(parseJson(String(asset?.android_metadata)))?.Name),
    }
  })
}

async function* readTable(zip: ZipReader, name: string, context: ReadContext): AsyncGenerator<ImportedEntry> {
  let position = 0
  for await (const row of readCsv(zip, name)) {
    position += 1
    const entry = readRow(row, context, `${name}, row ${position + 1}`)
    if (entry) yield entry
  }
}

export function readRow(row: Record<string, string>, context: ReadContext, label: string): ImportedEntry | undefined {
  const time = readClock(row.time ?? '')
  const occurredAt = toInstant([row.full_date?.trim(), time].filter(Boolean).join('T'), context.timezone)
  if (occurredAt === undefined) {
    context.notes.add(noteTexts.noDate, label)
    return undefined
  }
  if (time === undefined) context.notes.add(daylioNotes.time, label)
  const mood = toText(row.mood)?.trim()
  const standardIndex = standardMoods.indexOf(mood?.toLowerCase() ?? '')
  const content = JSON.stringify([row.full_date, row.time, row.mood, row.activities, row.note_title, row.note])
  return {
    sourceId: hashContent(content),
    group: 'Daylio',
    occurredAt,
    title: toText(row.note_title),
    text: noteToMarkdown(row.note ?? '').trim(),
    details: toText(row.scales) === undefined ? [] : [`Scales: ${row.scales}`],
    isMoodLog: true,
    topics: (row.activities ?? '').split('|').flatMap((activity) => activity.trim() || []),
    mood: mood === undefined ? undefined : { label: mood, score: toScore(standardIndex + 1) },
  }
}

/** Reads times of 12-hour and 24-hour clocks, with AM and PM in several languages. */
function readClock(text: string): string | undefined {
  const [, hours = '', minutes = ''] = /(\d{1,2})\s?[:.hH時时시]\s?(\d{2})/u.exec(text.normalize('NFKC')) ?? []
  if (hours === '') return undefined
  const isAfternoon = /p\.?\s?m|午後|下午|오후|晚上|μ\.?\s?μ/iu.test(text)
  const isMorning = /a\.?\s?m|午前|上午|오전|π\.?\s?μ/iu.test(text)
  const hour = isAfternoon || isMorning ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours)
  return hour > 23 || Number(minutes) > 59 ? undefined : `${pad(hour)}:${minutes}`
}
