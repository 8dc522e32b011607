import { basename } from 'node:path/posix'
import type { NoteText } from '../import-notes.ts'
import { type JsonKeys, readJsonValues } from '../read-json.ts'
import type { ZipReader } from '../zip-reader.ts'
import { readRichText } from './day-one-rich-text.ts'
import {
  type ForeignObject,
  hashContent,
  parseJson,
  toBoolean,
  toCount,
  toInstant,
  toList,
  toNames,
  toNumber,
  toObject,
  toPosition,
  toText,
} from './foreign-values.ts'
import type { ImportedEntry, ImportedFile, Importer, ReadContext } from './importer.ts'
import { readEntries } from './read-entries.ts'

// Journiv's export: the files in `media`, and data.json, which has entries in journals (until 1.2) or moments that can
// have an entry.

/** The elements of all long lists, so that the size limit applies to each element even of a list that isn't needed. */
const jsonPaths = [
  ...['$.journals.*.title', '$.journals.*.external_id', '$.journals.*.entries.*', '$.moments.*', '$.people.*'],
  ...['$.mood_definitions.*', '$.activities.*', '$.goals.*', '$.goal_logs.*', '$.goal_manual_logs.*'],
]

export const journiv: Importer = {
  kind: 'journiv',
  recognizes: (zip) =>
    zip.someHeadMatches(
      listDataFiles(zip),
      (head) => /"export_version"\s*:/.test(head) && /"(?:app_version|journals|moments)"\s*:/.test(head),
    ),
  async *read(zip, context) {
    const files = indexFiles(zip)
    for (const name of listDataFiles(zip)) {
      const catalog = await readCatalog(zip, name)
      const isEntry = ([list, , field]: JsonKeys) => list === 'moments' || field === 'entries'
      const entries = readJsonValues(zip, name, jsonPaths, { includes: isEntry })
      yield* readEntries(entries, `${name}, entry`, context, (entry, label, [list, index]) => {
        const group = list === 'journals' ? catalog.titlesByIndex.get(Number(index)) : undefined
        return readEntry(entry, { ...context, catalog, files, group, label })
      })
    }
  },
}

const listDataFiles = (zip: ZipReader) => zip.list(/(?:^|\/)data\.json$/i)

interface Catalog {
  titlesByIndex: Map<number, string>
  titlesById: Map<string, string>
  /** −2 to 2 by name and id. */
  scoresByKey: Map<string, number>
  peopleById: Map<string, string>
}

/** Journals, people and moods that entries refer to; they can come after the entries in the file. */
async function readCatalog(zip: ZipReader, name: string): Promise<Catalog> {
  const catalog: Catalog = {
    titlesByIndex: new Map(),
    titlesById: new Map(),
    scoresByKey: new Map(),
    peopleById: new Map(),
  }
  const idsByIndex = new Map<number, string>()
  for await (const { keys, value } of readJsonValues(zip, name, jsonPaths)) {
    const [list, index, field] = keys
    const object = toObject(value)
    const id = toText(object?.external_id)
    if (list === 'journals' && field === 'title') catalog.titlesByIndex.set(Number(index), toText(value) ?? '')
    else if (list === 'journals' && field === 'external_id') idsByIndex.set(Number(index), toText(value) ?? '')
    else if (list === 'people' && id !== undefined) catalog.peopleById.set(id, toText(object?.name) ?? '')
    else if (list === 'mood_definitions' && object) {
      const score = readMoodScore(object)
      for (const key of [id, toText(object.name)?.toLowerCase(), toText(object.key)])
        if (key !== undefined && score !== undefined) catalog.scoresByKey.set(key, score)
    }
  }
  for (const [index, id] of idsByIndex)
    if (id !== '') catalog.titlesById.set(id, catalog.titlesByIndex.get(index) ?? '')
  return catalog
}

/** Older versions have no scores, only categories. */
function readMoodScore({ score, category }: ForeignObject): number | undefined {
  const value = toNumber(score)
  if (value !== undefined && value >= 1 && value <= 5) return Math.round(value) - 3
  return categoryScores.get(toText(category)?.toLowerCase() ?? '')
}

const categoryScores = new Map([
  ['positive', 1],
  ['neutral', 0],
  ['negative', -1],
])

interface EntryContext extends ReadContext {
  catalog: Catalog
  files: ReadonlyMap<string, string>
  group: string | undefined
  label: string
}

const journivNotes = {
  external: {
    one: '1 file is stored in another service and is left out.',
    many: '# files are stored in another service and are left out.',
  },
} satisfies Record<string, NoteText>

export function readEntry(entry: ForeignObject, context: EntryContext): ImportedEntry | undefined {
  const { catalog } = context
  // The text of a moment is in a separate entry, or it has only a note.
  const writing = toObject(entry.entry) ?? entry
  const timezone = toText(entry.entry_timezone) ?? toText(entry.logged_timezone)
  const zone = timezone ?? context.timezone
  const occurredAt =
    toInstant(entry.entry_datetime_utc ?? entry.logged_at_utc ?? entry.logged_at, 'UTC') ??
    toInstant(entry.entry_date ?? entry.logged_date_tz ?? entry.logged_date, zone) ??
    toInstant(entry.created_at, 'UTC')
  if (occurredAt === undefined) return undefined
  const { activities, ...mood } = readMood(entry, catalog)
  const people = toList(entry.people_external_ids).flatMap((id) => catalog.peopleById.get(toText(id) ?? '') ?? [])
  const moodNote = toText(toObject(entry.mood_log)?.note)
  return {
    sourceId: readSourceId(entry, writing),
    group: context.group ?? catalog.titlesById.get(toText(writing.journal_external_id) ?? '') ?? 'Journiv',
    occurredAt,
    timezone,
    modifiedAt: toInstant(writing.updated_at ?? entry.updated_at, 'UTC'),
    title: toText(writing.title),
    text: readText(writing, entry),
    prompt: toText(entry.prompt_text),
    details: moodNote === undefined ? [] : [`Mood: ${moodNote}`],
    isMoodLog: true,
    topics: [...toNames(entry.tags), ...activities, ...people],
    mood,
    place: readPlace(entry),
    weather: readWeather(entry),
    pinned: toBoolean(entry.is_pinned) ?? false,
    files: readFiles(entry, context),
  }
}

function readSourceId(entry: ForeignObject, writing: ForeignObject): string {
  const id = toText(entry.external_id)
  if (id !== undefined) return id.slice(0, 200)
  const text = writing.content ?? writing.content_plain_text
  return hashContent(JSON.stringify([entry.entry_datetime_utc ?? entry.logged_at_utc, writing.title, text, entry.note]))
}

// Matches pictures in the export, which are imported as files below the text.
const exportedPicture = /!\[[^\]\n[]{0,200}\]\((?!https?:)[^)\n]{0,500}\)[^\S\n]*\n?/gi

function readText(writing: ForeignObject, entry: ForeignObject): string {
  const fromContent = readQuillDelta(writing.content)
  const plainTexts = [fromContent === undefined ? writing.content : '', writing.content_plain_text, entry.note]
  const texts = plainTexts.map((value) => (typeof value === 'string' ? value.replace(exportedPicture, '').trim() : ''))
  return [readQuillDelta(writing.content_delta) ?? fromContent, ...texts].find(Boolean) ?? ''
}

function readMood(
  entry: ForeignObject,
  { scoresByKey }: Catalog,
): { label: string | undefined; score: number | undefined; activities: string[] } {
  const log = toObject(entry.mood_log)
  const links = toList(entry.mood_activity).map((link) => toObject(link) ?? {})
  const label =
    toText(log?.mood_name) ??
    toText(entry.primary_mood_name) ??
    links.map((link) => toText(link.mood_name)).find((name) => name !== undefined)
  const id = toText(entry.primary_mood_external_id)
  // Scores of entries range from −5 to 5, unlike mood scores.
  const loggedScore = toNumber(log?.mood_score)
  return {
    label,
    score:
      loggedScore !== undefined && Math.abs(loggedScore) <= 5
        ? Math.round((loggedScore * 2) / 5)
        : (scoresByKey.get(id ?? '') ?? scoresByKey.get(label?.toLowerCase() ?? '')),
    activities: [...links.flatMap((link) => toText(link.activity_name) ?? []), ...toNames(entry.activities)],
  }
}

function readPlace(entry: ForeignObject): ImportedEntry['place'] {
  const location = toObject(entry.location_json) ?? toObject(entry.location)
  const names = ['name', 'place_name', 'display_name', 'city', 'country'].map((name) => toText(location?.[name]))
  const name = toText(entry.location) ?? names.find((part) => part !== undefined)
  const { lat = toPosition(location).lat, lng = toPosition(location).lng } = toPosition(entry)
  return name === undefined && lat === undefined ? undefined : { name, lat, lng }
}

function readWeather(entry: ForeignObject): ImportedEntry['weather'] {
  const weather = toObject(entry.weather_json) ?? toObject(entry.weather)
  return {
    tempC:
      toNumber(entry.temperature) ??
      toNumber(weather?.temperature_c) ??
      toNumber(weather?.temp_c) ??
      toNumber(weather?.temperature),
    condition:
      toText(entry.weather_summary) ??
      toText(entry.weather) ??
      toText(weather?.condition) ??
      toText(weather?.description),
    source: 'Journiv',
  }
}

/** Files by path with and without the folder media, and by the name or hash that only one has. */
function indexFiles(zip: ZipReader): Map<string, string> {
  const files = new Map<string, string>()
  const ambiguousKeys = new Set<string>()
  for (const name of zip.names) {
    const base = basename(name)
    for (const key of new Set([base, base.split('.')[0] ?? ''])) {
      if (files.has(key)) ambiguousKeys.add(key)
      files.set(key, name)
    }
  }
  for (const key of ambiguousKeys) files.delete(key)
  for (const name of zip.names) files.set(name, name).set(name.replace(/^(?:.*\/)?media\//i, ''), name)
  return files
}

function readFiles(entry: ForeignObject, { files, notes, label }: EntryContext): ImportedFile[] {
  return toList(entry.media).flatMap((value) => {
    const media = toObject(value) ?? {}
    const path = toText(media.file_path)?.normalize('NFC')
    const checksum = toText(media.checksum)
    const archivedFile = [path, path && basename(path), checksum].map((key) => files.get(key ?? '')).find(Boolean)
    if (archivedFile === undefined && path === undefined && toText(media.external_asset_id) !== undefined) {
      notes.add(journivNotes.external, label)
      return []
    }
    return [
      {
        file: archivedFile ?? (path === undefined ? undefined : `media/${path}`),
        name: toText(media.filename),
        alt: toText(media.alt_text) ?? toText(media.caption),
        width: toCount(media.width),
        height: toCount(media.height),
        durationMs: toCount((toNumber(media.duration) ?? 0) * 1000),
      },
    ]
  })
}

/**
 * Converts a Quill document, an object or its JSON, to Markdown. Returns undefined for anything else. Quill stores a
 * line's format with its line break.
 */
export function readQuillDelta(source: unknown): string | undefined {
  const isJson = typeof source === 'string' && /^\s*\{/.test(source)
  const operations = toObject(isJson ? parseJson(source) : source)?.ops
  if (!Array.isArray(operations)) return undefined
  const contents = operations.flatMap((value) => {
    const operation = toObject(value)
    const text = operation?.insert
    if (typeof text !== 'string') return []
    const attributes = toObject(operation?.attributes) ?? {}
    return text.split(/(?<=\n)|(?=\n)/).map((part) => ({
      text: part,
      attributes: part === '\n' ? { line: toLineFormat(attributes) } : toTextFormat(attributes),
    }))
  })
  return readRichText({ contents })
}

function toTextFormat({ bold, italic, strike, code, link }: ForeignObject): ForeignObject {
  return { bold, italic, strikethrough: strike, inlineCode: code, linkURL: toText(link) }
}

/** Day One's list styles by Quill's. */
const listStyles = new Map([
  ['ordered', 'numbered'],
  ['bullet', 'bulleted'],
  ['checked', 'checkbox'],
  ['unchecked', 'checkbox'],
])

function toLineFormat(attributes: ForeignObject): ForeignObject {
  const list = toText(attributes.list)
  return {
    header: attributes.header,
    listStyle: list === undefined ? undefined : listStyles.get(list),
    checked: list === 'checked',
    indentLevel: 1 + (toNumber(attributes.indent) ?? 0),
    quote: attributes.blockquote,
    // The value of a code block can be its language.
    codeBlock: attributes['code-block'] !== undefined && attributes['code-block'] !== false,
  }
}
