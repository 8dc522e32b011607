import type * as z from 'zod/mini'
import { formatPosition } from '#contract/keepers/format-moment.ts'
import { topicName } from '#contract/keepers/keeper-fields.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import {
  maxMomentBodyLength,
  maxMomentFiles,
  maxMomentTopics,
  mood,
  place,
  weather,
} from '#contract/keepers/moments.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import { cleanOneLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { getFileProblem, type ImportNotes, type NoteText, noteTexts } from './import-notes.ts'
import type { ImportTarget, MomentPart } from './import-plan.ts'
import { appendDetails, describeMood, prependPrompt } from './importers/conversation-texts.ts'
import { parseTimezone } from './importers/foreign-values.ts'
import type { ImportedEntry, ImportedFile } from './importers/importer.ts'
import type { ZipReader } from './zip-reader.ts'

/** Years 1 to 2286, which every database can store. */
const minInstant = -62_135_596_800_000
const maxInstant = 9_999_999_999_000
const maxTitleLength = 200
const maxTopicLength = 80
const maxMoodLabelLength = 40
const maxPlaceNameLength = 200
const maxConditionLength = 80

export const isInstant = (time: number): boolean => time >= minInstant && time <= maxInstant

interface MomentContext {
  zip: ZipReader
  notes: ImportNotes
  timezone: string
  target: ImportTarget
}

/**
 * Applies the same rules as edits. A value that breaks one is dropped and counted, but the entry is kept. An entry with
 * more files than a moment can have continues in further moments.
 */
export function toMomentParts(entry: ImportedEntry, context: MomentContext): Omit<MomentPart, 'id'>[] {
  const { notes, zip } = context
  const label = describeEntry(entry)
  if (!isInstant(entry.occurredAt)) {
    notes.add(noteTexts.noDate, label)
    return []
  }
  const files = (entry.files ?? []).filter((file) => isUsableFile(zip, file, notes))
  const title = cleanOneLine(entry.title ?? '')
  const text = cleanText(composeText(entry, title !== '' || files.length > 0, notes))
  if (text === '' && title === '' && files.length === 0) {
    notes.add(noteTexts.empty, label)
    return []
  }
  if (text.length > maxMomentBodyLength) notes.add(noteTexts.longText, label)
  const timezone = toTimezone(entry, context)
  const { modifiedAt } = entry
  const entryNotes = { add: (text: NoteText) => notes.add(text, label) }
  const moment: Omit<MomentPart, 'id' | 'sourceId' | 'files'> = {
    kind: 'moment',
    target: context.target,
    occurredAt: entry.occurredAt,
    updatedAt: modifiedAt !== undefined && isInstant(modifiedAt) ? modifiedAt : entry.occurredAt,
    localDate: getLocalDay(timezone, entry.occurredAt),
    timezone,
    title: title === '' ? null : truncate(title, maxTitleLength),
    text: truncate(text, maxMomentBodyLength),
    topics: toTopics(entry.topics ?? [], entryNotes),
    mood: toMood(entry, entryNotes),
    place: toPlace(entry, entryNotes),
    weather: toWeather(entry, entryNotes),
    pinned: entry.pinned ?? false,
  }
  const batches = Array.from({ length: Math.max(Math.ceil(files.length / maxMomentFiles), 1) }, (_, index) =>
    files.slice(index * maxMomentFiles, (index + 1) * maxMomentFiles),
  )
  if (batches.length > 1) notes.add(noteTexts.manyFiles, label)
  return batches.map((batch, index) => ({
    ...moment,
    sourceId: index === 0 ? entry.sourceId : `${entry.sourceId}#${index + 1}`,
    files: batch,
    ...(index > 0 && { text: '' }),
  }))
}

function composeText(
  { text, prompt, details = [], mood, topics = [], isMoodLog }: ImportedEntry,
  hasOtherContent: boolean,
  notes: ImportNotes,
): string {
  const unscaledLabel = mood?.score === undefined ? mood?.label : undefined
  if (unscaledLabel !== undefined) notes.add(noteTexts.unscaledMood, unscaledLabel)
  const hasNoText = !hasOtherContent && [text, prompt ?? '', ...details].every((part) => part.trim() === '')
  if (isMoodLog && hasNoText) return describeMood(mood?.label, topics)
  return appendDetails(
    prependPrompt(text, prompt),
    unscaledLabel === undefined ? details : [`Mood: ${unscaledLabel}`, ...details],
  )
}

export function describeEntry({ group, title, occurredAt, text }: ImportedEntry): string {
  const time = new Date(occurredAt)
  const day = Number.isNaN(time.getTime()) ? 'without a date' : time.toISOString().slice(0, 10)
  const name = cleanOneLine(title ?? text.slice(0, 60)).slice(0, 40)
  return [group, day, name && `“${name}”`].filter(Boolean).join(', ')
}

/** Not every database can store NUL. Other control characters, except tabs and line breaks, are invisible. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '')
      .toWellFormed()
      .trim()
  )
}

function isUsableFile(zip: ZipReader, file: ImportedFile, notes: ImportNotes): file is ImportedFile & { file: string } {
  const problem = file.file === undefined ? 'namelessFile' : getFileProblem(zip, file.file)
  // The preview counts missing files itself.
  if (problem !== undefined && problem !== 'missingFile')
    notes.add(noteTexts[problem], file.name ?? file.file?.split('/').at(-1))
  return problem === undefined
}

/** Adds notes with the label of the entry. */
interface EntryNotes {
  add(text: NoteText): void
}

function toTopics(names: readonly string[], notes: EntryNotes): string[] {
  const topics = new Map<string, string>()
  for (const name of names) {
    const topic = toField(topicName, truncate(cleanOneLine(name), maxTopicLength).trim(), notes, noteTexts.topic)
    if (topic) topics.set(normalizeTopicName(topic), topics.get(normalizeTopicName(topic)) ?? topic)
  }
  if (topics.size > maxMomentTopics) notes.add(noteTexts.manyTopics)
  return [...topics.values()].slice(0, maxMomentTopics)
}

function toField<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
  notes: EntryNotes,
  text: NoteText,
): z.output<T> | null {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  notes.add(text)
  return null
}

function toMood({ mood: source }: ImportedEntry, notes: EntryNotes): MomentPart['mood'] {
  if (source?.score === undefined) return null
  const moodLabel = truncate(cleanOneLine(source.label ?? ''), maxMoodLabelLength) || null
  const parsed = toField(mood, { score: source.score, label: moodLabel }, notes, noteTexts.mood)
  return parsed && { score: parsed.score, label: parsed.label ?? null }
}

function toPlace({ place: source }: ImportedEntry, notes: EntryNotes): MomentPart['place'] {
  if (!source) return null
  const { lat, lng } = source
  const hasCoordinates = lat !== undefined || lng !== undefined
  const position =
    lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined
  const sourceName = truncate(cleanOneLine(source.name ?? ''), maxPlaceNameLength)
  const name = sourceName || (position ? formatPosition(position) : '')
  if (name === '') {
    if (hasCoordinates) notes.add(noteTexts.place)
    return null
  }
  if (!position && hasCoordinates) notes.add(noteTexts.position)
  const parsed = toField(place, { name, lat: null, lng: null, ...position }, notes, noteTexts.place)
  return parsed && { name: parsed.name, lat: parsed.lat ?? null, lng: parsed.lng ?? null }
}

function toWeather({ weather: source }: ImportedEntry, notes: EntryNotes): MomentPart['weather'] {
  if (!source) return null
  const condition = truncate(cleanOneLine(source.condition ?? ''), maxConditionLength) || null
  const tempC = source.tempC ?? null
  if (tempC === null && condition === null) return null
  return toField(weather, { tempC, condition, source: source.source }, notes, noteTexts.weather)
}

function toTimezone({ timezone }: ImportedEntry, { notes, timezone: personTimezone }: MomentContext): string {
  const zone = timezone === undefined ? undefined : parseTimezone(timezone)
  if (zone === undefined) notes.add(noteTexts.assumedZone)
  return zone ?? personTimezone
}
