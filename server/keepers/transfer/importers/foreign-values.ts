import { hash } from 'node:crypto'
import { parse } from 'csv-parse'
import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import { getInstant } from '#contract/keepers/local-time.ts'
import { Problem } from '#server/http/problem.ts'
import { isObject } from '#server/values/is-object.ts'
import { type ImportNotes, type NoteText, noteTexts } from '../import-notes.ts'
import type { ZipReader } from '../zip-reader.ts'
import type { ImportedEntry, ReadContext } from './importer.ts'

// Values in files of other apps. Each reader accepts all known formats and returns undefined for others.

export type ForeignObject = Record<string, unknown>

export const toObject = (value: unknown): ForeignObject | undefined => (isObject(value) ? value : undefined)

/** An object or text alone is a list of one. */
export function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || value === '' ? [] : [value]
}

/** A number or boolean becomes text. Empty text counts as absent. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Also accepts a number written as text. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && value.trim() !== '')
    return toNumber(Number(value.replace(/^(-?\d+),(\d+)$/, '$1.$2')))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 0) return value === 1
  if (typeof value !== 'string') return undefined
  return { true: true, yes: true, '1': true, false: false, no: false, '0': false }[value.trim().toLowerCase()]
}

/** Tags as a list, as objects with a name, or as one text with commas. */
export function toNames(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : toList(value)
  return list.flatMap((item) => toText(toObject(item)?.name ?? toObject(item)?.title ?? item)?.trim() ?? [])
}

/** A positive whole number of pixels or milliseconds. Apps write 0 for unknown. */
export function toCount(value: unknown): number | undefined {
  const rounded = Math.round(toNumber(value) ?? 0)
  return rounded > 0 && rounded < 2 ** 31 ? rounded : undefined
}

/** Offsets like GMT-0500 identify a zone as well as names do. */
export function parseTimezone(name: string): string | undefined {
  const offset = /^(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d{2})?$/i.exec(name.trim())
  const candidate = offset ? `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}` : name.trim()
  return candidate !== '' && candidate.length <= 64 && isTimeZone(candidate) ? candidate : undefined
}

/** Degrees, under the names that apps give them. */
export function toPosition(
  location: ForeignObject | undefined,
): Pick<NonNullable<ImportedEntry['place']>, 'lat' | 'lng'> {
  const { latitude, lat, longitude, lng, lon } = location ?? {}
  return { lat: toNumber(latitude) ?? toNumber(lat), lng: toNumber(longitude) ?? toNumber(lng) ?? toNumber(lon) }
}

/** Undefined for text that isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Decodes a percent-encoded name. One that isn't valid stays as it is. */
export function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Identifies content that has no id, the same in each export. */
export const hashContent = (content: string, length = 32): string => hash('sha256', content).slice(0, length)

/** Smaller numbers are seconds: this is the year 5138 in seconds, and 1973 in milliseconds. */
const minMilliseconds = 1e11

const isoTime =
  /^([+-]\d{6}|\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}:?(?:\d{2})?)?$/i

/**
 * Milliseconds of an ISO time, a day, or a number of seconds or milliseconds. A time without an offset is local to
 * `timezone`; a day without a time is noon there, so that no time zone moves it to another day.
 */
export function toInstant(value: unknown, timezone = 'UTC'): number | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d{9,}(\.\d+)?$/.test(value.trim()))) {
    const number = toNumber(value)
    if (number === undefined) return undefined
    return Math.abs(number) < minMilliseconds ? Math.round(number * 1000) : Math.round(number)
  }
  const text = typeof value === 'string' ? value.trim() : ''
  const [matched, year, month, day, hour, minute, second = '00', fraction = '', offset] = isoTime.exec(text) ?? []
  if (matched === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const time =
    hour === undefined ? '12:00:00.000' : `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`
  if (!isRealDay(date) || Number.isNaN(Date.parse(`${date}T${time}Z`))) return undefined
  if (offset === undefined || hour === undefined) return getInstant(parseTimezone(timezone) ?? 'UTC', date, time)
  const zone = /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
  const instant = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(instant) ? undefined : instant
}

/** `Date.parse` takes February 30 for March 1. */
function isRealDay(date: string): boolean {
  const instant = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(`${date}T`)
}

/** Far more than a moment can hold. The remainder is left out, and the moment importer notes that. */
const maxTextBytes = 4 * 1024 * 1024

/** Reads a text file of an entry with the detected encoding. A file that can't be unpacked is left out, with a note. */
export async function readTextFile(zip: ZipReader, name: string, notes: ImportNotes): Promise<string | undefined> {
  try {
    return decodeText(await zip.readFirstBytes(name, maxTextBytes))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    notes.add(noteTexts.damagedFile, name)
    return undefined
  }
}

/** Parses a JSON file. A file that can't be parsed is left out, with a note. */
export async function readJsonFile(zip: ZipReader, name: string, notes: ImportNotes): Promise<unknown> {
  const text = await readTextFile(zip, name, notes)
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (value === undefined) notes.add(noteTexts.damagedFile, name)
  return value
}

/** When the file was last changed, with a note that its entry has no better date; NaN if the zip doesn't say. */
export function readFileTime(
  zip: ZipReader,
  path: string,
  { notes, timezone }: Pick<ReadContext, 'notes' | 'timezone'>,
  note: NoteText,
  label = path,
): number {
  const modifiedAt = zip.getModifiedAt(path, timezone)
  if (modifiedAt !== undefined) notes.add(note, label)
  return modifiedAt ?? Number.NaN
}

/** Windows-1252 can decode any bytes. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    // Streaming mode tolerates a character cut off at the limit.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const maxRowBytes = 4 * 1024 * 1024

/** Yields the rows below the header, keyed by lowercase column name. @throws Problem 422 for a file that isn't CSV */
export async function* readCsv(zip: ZipReader, name: string): AsyncGenerator<Record<string, string>> {
  const parser = parse({
    bom: true,
    columns: (header: string[]) => header.map((column) => column.trim().toLowerCase()),
    delimiter: detectDelimiter(await zip.readHead(name)),
    max_record_size: maxRowBytes,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })
  const source = await zip.openStream(name)
  source.on('error', (error) => parser.destroy(error))
  try {
    for await (const row of source.pipe(parser)) yield row as Record<string, string>
  } catch (error) {
    throw new Problem('unprocessable', {
      message: `${name} in this zip isn’t valid CSV, or it’s damaged.`,
      cause: error,
    })
  } finally {
    source.destroy()
  }
}

/** The most frequent of comma, semicolon and tab in the header. */
function detectDelimiter(head: string): string {
  const header = head.split(/[\r\n]/)[0] ?? ''
  const [delimiter = ','] = [',', ';', '\t'].toSorted(
    (left, right) => header.split(right).length - header.split(left).length,
  )
  return delimiter
}
