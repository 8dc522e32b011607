import { joinLines } from '#contract/linear-text.ts'
import { type ImportNotes, type NoteText, noteTexts } from '../import-notes.ts'
import { parseTimezone, toBoolean, toInstant, toList, toNumber, toObject, toText } from './foreign-values.ts'
import type { ImportedEntry } from './importer.ts'
import { getWrittenInstant, readWrittenDate, type WrittenDate } from './text-dates.ts'

// Properties of notes: front matter, Logseq's `key:: value`, Notion's `Key: value`.

type Properties = ReadonlyMap<string, unknown>

/** Normalized names, without case, spaces, accents and marks. Notion writes them in the language of the person. */
const fieldNames = {
  date: 'date day datum fecha data дата 日付 日期 날짜 when entrydate journaldate fulldate datetime',
  created:
    'created createdat createdon createdtime createddate creationdate creationtime datecreated timecreated ctime erstellt erstelltam erstellungszeit cree creele datedecreation creado creadoel fechadecreacion criado criadoem datadecriacao creato datacreazione gemaakt aangemaakt skapad oprettet opprettet luotu utworzono создано 作成日時 创建时间 創建時間 생성일시',
  modified:
    'updated modified updatedat modifiedat updatedon lastmodified lastupdated lastedited lastediteds lasteditedtime dateupdated datemodified mtime geandert zuletztbearbeitet modifie dernieremodification ultimaedicion editado editadoel modificato bewerkt redigerad redigeret redigert muokattu 最終更新日時 上次编辑时间 最終編集日時 마지막편집일시',
  time: 'time uhrzeit hora heure 時刻 时间',
  timezone: 'timezone tz zone',
  title: 'title titel titre titulo titolo',
  tags: 'tags tag topics topic labels label keywords stichworte schlagworte etiquetas etiquettes タグ 标签 標籤 태그',
  mood: 'mood moods feeling stimmung humeur humor umore 気分 心情 기분',
  place: 'location place ort lieu lugar luogo loc 場所 地点 위치',
  lat: 'latitude lat',
  lng: 'longitude lng lon',
  coordinates: 'coordinates coords geo',
  weather: 'weather wetter meteo clima tempo 天気 天气 날씨',
  pinned: 'pinned favorite starred',
  ignored:
    'cssclass cssclasses aliases alias id uuid uid guid publish permalink layout slug altitude collapsed iconimage banner icon filters exclude fromgraphview templateincludingparent template',
} as const
type Field = keyof typeof fieldNames

const fields = new Map<string, Field>(
  Object.entries(fieldNames).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as Field] as const),
  ),
)

const normalizeKey = (key: string) =>
  key
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    // British spelling.
    .replace(/(?<=fav)our(?=ite)/, 'or')

interface PropertyContext {
  notes: ImportNotes
  /** The person's own time zone. */
  timezone: string
  label: string
  source: string
}

type EntryProperties = Partial<
  Pick<
    ImportedEntry,
    'occurredAt' | 'timezone' | 'modifiedAt' | 'title' | 'topics' | 'mood' | 'place' | 'weather' | 'pinned'
  >
> & {
  /** Properties that no field of a moment holds, as a Markdown list. */
  others: string
}

export function readProperties(properties: Properties, context: PropertyContext): EntryProperties {
  const values = new Map<Field, unknown>()
  const others: string[] = []
  for (const [key, value] of properties) {
    if (value === undefined || value === null || value === '') continue
    const field = fields.get(normalizeKey(key))
    if (field === undefined) others.push(...formatProperty(key, value, context))
    else if (!values.has(field)) values.set(field, value)
    else if (field === 'tags') values.set(field, [...toList(values.get(field)), ...toList(value)])
  }
  const timezone = readTimezone(values.get('timezone'), context)
  const zone = timezone ?? context.timezone
  const date = readDate(values, zone, context)
  const modified = values.get('modified')
  const modifiedAt = modified === undefined ? undefined : readDateValue(modified, zone)
  const mood = readMood(values.get('mood'), context)
  // A value that isn't a date or mood may still be the person's text.
  for (const [key, value] of properties) {
    const field = fields.get(normalizeKey(key))
    if ((field === 'mood' && !mood) || (field === 'date' && readDateValue(value, zone) === undefined))
      others.push(...formatProperty(key, value, context))
  }
  if (modified !== undefined && modifiedAt === undefined) context.notes.add(noteTexts.modified, context.label)
  return {
    occurredAt: date?.at,
    timezone: timezone ?? date?.offset,
    modifiedAt: modifiedAt?.at,
    title: toText(values.get('title')),
    topics: readTagNames(values.get('tags')),
    mood,
    place: readPlace(values, context),
    weather: readWeather(values.get('weather'), context),
    pinned: toBoolean(values.get('pinned')) ?? false,
    others: others.join('\n'),
  }
}

const propertyNotes = {
  date: { one: '1 date couldn’t be read.', many: '# dates couldn’t be read.' },
  timezone: { one: '1 time zone couldn’t be read.', many: '# time zones couldn’t be read.' },
  mood: {
    one: '1 mood is a number or word of an unknown scale and is kept in the text.',
    many: '# moods are numbers or words of an unknown scale and are kept in the text.',
  },
  property: { one: '1 nested property isn’t imported.', many: '# nested properties aren’t imported.' },
} satisfies Record<string, NoteText>

function readTimezone(value: unknown, { notes, label }: PropertyContext): string | undefined {
  if (value === undefined) return undefined
  const timezone = parseTimezone(toText(value) ?? '')
  if (timezone === undefined) notes.add(propertyNotes.timezone, label)
  return timezone
}

interface Instant {
  at: number
  offset?: string | undefined
}

function readDate(values: ReadonlyMap<Field, unknown>, zone: string, { notes, label }: PropertyContext) {
  const anyDay = '2000-01-01'
  const time = readWrittenDate(`${anyDay} ${toText(values.get('time')) ?? ''}`)?.time
  for (const field of ['date', 'created'] as const) {
    const value = values.get(field)
    if (value === undefined) continue
    const date = readDateValue(value, zone, time)
    if (date !== undefined) return date
    notes.add(propertyNotes.date, label)
  }
  return undefined
}

/** @param time for a value that is only a day */
export function readDateValue(value: unknown, zone: string, time?: string): Instant | undefined {
  const [first] = toList(value)
  const compactDate = readWrittenDate(formatCompactDate(toText(first) ?? ''))
  if (compactDate) {
    const date: WrittenDate = { ...compactDate, time: compactDate.time ?? time }
    return {
      at: getWrittenInstant(date, zone),
      offset: compactDate.offset === '+00:00' ? undefined : compactDate.offset,
    }
  }
  const at = toInstant(first, zone)
  return at === undefined || typeof first === 'boolean' ? undefined : { at }
}

/** 20241103 and 202411030715 are days and times, not seconds. A date can be a link to a daily note, such as [[2024-11-03]]. */
function formatCompactDate(text: string): string {
  const [, year, month, day, hour, minute] =
    /^((?:19|20)\d{2})(\d{2})(\d{2})(?:(\d{2})(\d{2})(?:\d{2})?)?$/.exec(text) ?? []
  if (year === undefined) return text.replace(/^\[\[|\]\]$/g, '')
  return `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}`}`
}

/** Tags as a list or one text, with or without `#` and brackets. */
export function readTagNames(value: unknown): string[] {
  const list = typeof value === 'string' ? splitTags(value) : toList(value)
  return list.flatMap(
    (item) =>
      toText(item)
        ?.replace(/^#|\[\[|\]\]/g, '')
        .trim() || [],
  )
}

const splitTags = (text: string) => (/[,\]]/.test(text) ? text.split(',') : text.split(/\s+/))

/** Mood names by score, from very good to very low. */
const moodNames = [
  'very good, amazing, awesome, great, excellent, rad, fantastic, ecstatic, 😀, 😄, 😁, 🤩, 🥳',
  'good, happy, content, calm, grateful, glad, 😊, 🙂, 😌',
  'even, ok, okay, meh, neutral, fine, so-so, average, 😐, 😑',
  'low, bad, sad, down, tired, anxious, stressed, 🙁, 😕, 😔, 😟',
  'very low, awful, terrible, horrible, very bad, depressed, miserable, 😢, 😭, 😞',
]
const moodScores = new Map(
  moodNames.flatMap((names, index) => names.split(', ').map((name) => [name, 2 - index] as const)),
)

/** Reads only words, because scales of numbers run in either direction. */
function readMood(value: unknown, { notes, label }: PropertyContext): ImportedEntry['mood'] {
  if (value === undefined) return undefined
  const name = (toText(toList(value)[0]) ?? '').trim()
  const score = moodScores.get(name.toLowerCase())
  if (score !== undefined) return { score, label: name }
  notes.add(propertyNotes.mood, label)
  return undefined
}

function readPlace(values: ReadonlyMap<Field, unknown>, { notes, label }: PropertyContext): ImportedEntry['place'] {
  const value = values.get('place')
  const object = toObject(value)
  const position =
    readPosition(values.get('coordinates')) ??
    readPosition(value) ??
    readPosition([
      values.get('lat') ?? object?.lat ?? object?.latitude,
      values.get('lng') ?? object?.lng ?? object?.longitude,
    ])
  const name = readPlaceName(value)
  if (name === undefined && position === undefined) {
    if (value !== undefined) notes.add(noteTexts.place, label)
    return undefined
  }
  return { name, lat: position?.[0], lng: position?.[1] }
}

function readPlaceName(value: unknown): string | undefined {
  if (readPosition(value)) return undefined
  const object = toObject(value)
  if (object) return toText(object.name)
  const names = toList(value).flatMap((item) => toText(item)?.replace(/\[\[|\]\]/g, '') ?? [])
  return names.join(', ') || undefined
}

/** Apps write 0, 0 for an unknown position. */
function readPosition(value: unknown): [lat: number, lng: number] | undefined {
  const list = typeof value === 'string' ? value.split(',') : toList(value)
  if (list.length !== 2) return undefined
  const [lat, lng] = list.map(toNumber)
  return lat === undefined || lng === undefined || (lat === 0 && lng === 0) ? undefined : [lat, lng]
}

function readWeather(value: unknown, { notes, label, source }: PropertyContext): ImportedEntry['weather'] {
  if (value === undefined) return undefined
  const condition = toText(toList(value)[0])
  if (condition !== undefined) return { condition, source }
  notes.add(noteTexts.weather, label)
  return undefined
}

function formatProperty(key: string, value: unknown, { notes, label }: PropertyContext): string[] {
  const texts = toList(value).map((item) => (item instanceof Object ? undefined : toText(item)))
  if (texts.includes(undefined)) notes.add(propertyNotes.property, label)
  const text = texts.filter((item) => item !== undefined).join(', ')
  return text === '' ? [] : [`- ${key}: ${joinLines(text.trim(), ' ')}`]
}
