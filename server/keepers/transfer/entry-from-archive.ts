import { formatPosition } from '#contract/keepers/format-moment.ts'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { getLocalDay } from '#contract/keepers/local-time.ts'
import { LruMap } from '#contract/lru-map.ts'
import { cleanOneLine, toDisplayLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { json } from '#server/db/database.ts'
import {
  type ArchivedEntity,
  archiveColumns,
  type ColumnKind,
  nullableColumns,
  textColumns,
  toArchiveName,
} from './archive-columns.ts'
import { getFieldNote, type ImportNotes, noteTexts } from './import-notes.ts'
import { type ForeignObject, parseTimezone, toBoolean, toNumber, toObject, toText } from './importers/foreign-values.ts'
import { isBlank, readBySchema, readInstant, toStorableText } from './read-by-schema.ts'

const maxTextLength = 500_000
const maxJsonLength = 100_000
const maxTimezoneLength = 64
/** Length of a title or label taken from the first line of a text. */
const maxFirstLineLength = 120

/** Cached, because validating a time zone takes 0.2 ms and an archive repeats the same few. */
const timezoneCache = new LruMap<string, string | undefined>(1000)

export type ResolveId = (entity: ArchivedEntity, origin: string) => string | null

interface EntryContext {
  resolveId: ResolveId
  notes: ImportNotes
  /** Label of the entry in notes. */
  label: string
  createdAt: number
  updatedAt: number
  /** The person's time zone, used for moments without one. */
  timezone: string
}

/**
 * Reads each column separately, because anyone can write an archive. An unusable value is noted and replaced by a
 * default or a value derived from other columns. A value too long for its field continues in the entry's text.
 */
export function readColumns(
  entity: ArchivedEntity,
  entry: ForeignObject,
  context: EntryContext,
): Record<string, unknown> {
  const { notes, label } = context
  const textColumn = textColumns[entity]
  const overflows: string[] = []
  const columns: Record<string, unknown> = {}
  const fallbacks: (() => void)[] = []
  for (const [column, kind] of Object.entries(archiveColumns[entity])) {
    const name = toArchiveName(column)
    const archivedValue = getSealedText(entity, name, entry) ?? entry[name]
    const isMissing = archivedValue === undefined || archivedValue === null
    const value = isMissing ? undefined : readValue(name, archivedValue, kind, context)
    if (value !== undefined) {
      const { value: fittingValue, overflow } = cutToFit(value, kind)
      if (overflow !== '') notes.add(noteTexts.longLine, label)
      if (overflow !== '' && textColumn in archiveColumns[entity]) overflows.push(overflow)
      columns[column] = fittingValue === '' && value !== '' && nullableColumns.has(column) ? null : fittingValue
      continue
    }
    const isLost = !isBlank(archivedValue)
    if (isLost || column === 'ai_visible') notes.add(getFieldNote(name), label)
    // Some fallbacks derive from columns that are read later.
    fallbacks.push(() => {
      columns[column] = getFallback(entity, column, { columns, context, isLost })
    })
  }
  if (overflows.length > 0) columns[textColumn] = [...overflows, columns[textColumn] ?? ''].join('\n\n')
  for (const fill of fallbacks) fill()
  if (String(columns[textColumn] ?? '').length > maxTextLength) {
    notes.add(noteTexts.longArchivedText, label)
    columns[textColumn] = truncate(String(columns[textColumn]), maxTextLength)
  }
  if (entity === 'card' && wasWrittenByAgent(entry)) columns.state = 'draft'
  return columns
}

/** An approval on another server doesn't count here, and an unreadable author counts as an agent. */
function wasWrittenByAgent({ reflectionAgentId }: ForeignObject): boolean {
  return !isBlank(reflectionAgentId) && reflectionAgentId !== defaultAgentId && reflectionAgentId !== 'demo-agent'
}

function cutToFit(value: unknown, kind: ColumnKind): { value: unknown; overflow: string } {
  if (typeof value !== 'string' || typeof kind !== 'object' || !('maxLength' in kind)) return { value, overflow: '' }
  const cleaned = toDisplayLine(value)
  if (cleaned.length <= kind.maxLength) return { value: cleaned, overflow: '' }
  const text = value.trim()
  const cutText = truncate(text, kind.maxLength)
  return { value: toDisplayLine(cutText), overflow: text.slice(cutText.length) }
}

function getSealedText(entity: ArchivedEntity, name: string, { sealedMessage }: ForeignObject): string | undefined {
  if (entity !== 'echo' || name !== 'message' || typeof sealedMessage !== 'string') return undefined
  return Buffer.from(sealedMessage, 'base64').toString('utf8')
}

/** Undefined for a value that can't be used. */
function readValue(name: string, value: unknown, kind: ColumnKind, context: EntryContext): unknown {
  if (kind === 'text') return readText(value)
  if (kind === 'boolean') return toBoolean(value)
  if (kind === 'time') return readInstant(value)
  if (kind === 'day') return readDay(value)
  if (kind === 'timezone') return readTimezone(value)
  if ('maxLength' in kind) return readText(value)
  if ('json' in kind) return readJson(name, value, kind, context)
  if ('from' in kind) {
    const number = toNumber(value)
    if (number === undefined || !Number.isSafeInteger(number)) return undefined
    return number >= kind.from && number <= kind.to ? number : undefined
  }
  const text = toText(value)?.trim()
  if (text === undefined) return undefined
  if ('ref' in kind) return context.resolveId(kind.ref, text)
  return kind.oneOf.includes(text) ? text : undefined
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? toStorableText(value) : toText(value)
}

function readDay(value: unknown): string | undefined {
  const text = toText(value)?.trim() ?? ''
  const instant = readInstant(/^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : value)
  return instant === undefined ? undefined : getLocalDay('UTC', instant)
}

function readTimezone(value: unknown): string | undefined {
  const name = toText(value) ?? ''
  if (name.length > maxTimezoneLength) return undefined
  if (timezoneCache.has(name)) return timezoneCache.get(name)
  const timezone = parseTimezone(name)
  timezoneCache.set(name, timezone)
  return timezone
}

function readJson(
  name: string,
  value: unknown,
  kind: Extract<ColumnKind, { json: unknown }>,
  { resolveId, notes, label }: EntryContext,
): unknown {
  const onLoss = (field: string) => notes.add(getFieldNote(field || name), label)
  const parsed = readBySchema(kind.json, toReadableJson(name, value, resolveId), { onLoss })
  const completed = parsed === undefined ? undefined : completeJson(name, parsed)
  if (!completed) return completed
  const text = json(completed)
  return kind.grows || text.length <= maxJsonLength ? text : undefined
}

function toReadableJson(name: string, value: unknown, resolveId: ResolveId): unknown {
  if (name === 'triggerConditions') return toLocalConditions(value, resolveId)
  if (name === 'place' && !toObject(value)) return typeof value === 'string' ? { name: value } : value
  if (name === 'messages' && Array.isArray(value))
    return value.map((message, index) => {
      const source = toObject(message)
      return source && { ...source, id: toText(source.id) ?? String(index) }
    })
  return value
}

/** A place without a name is named after its position. Undefined when nothing is left. */
function completeJson(name: string, value: unknown): object | null | undefined {
  const fields = value as Record<string, unknown>
  if (name === 'triggerConditions' && Object.keys(fields).length === 0) return null
  if (name === 'place' && fields.name === '') {
    const { lat, lng } = fields
    return typeof lat === 'number' && typeof lng === 'number'
      ? { ...fields, name: formatPosition({ lat, lng }) }
      : undefined
  }
  if (name === 'weather' && fields.tempC === null && !fields.condition) return undefined
  return fields
}

function toLocalConditions(value: unknown, resolveId: ResolveId): unknown {
  if (typeof value !== 'object' || value === null || !('journeyId' in value)) return value
  const { journeyId, ...conditions } = value
  const localId = typeof journeyId === 'string' ? resolveId('journey', journeyId) : null
  return localId === null ? conditions : { ...conditions, journeyId: localId }
}

interface FallbackInput {
  columns: Record<string, unknown>
  context: EntryContext
  /** A value was present, but couldn't be read. */
  isLost: boolean
}

/** Times whose presence marks a state, such as delivered. An unreadable one still marks it. */
const stateTimes = new Set(['completed_at', 'rested_at', 'promoted_at', 'ready_at', 'mailed_at', 'delivered_at'])

function getFallback(entity: ArchivedEntity, column: string, { columns, context, isLost }: FallbackInput): unknown {
  if (isLost && stateTimes.has(column)) return context.updatedAt
  if (column === 'title' && entity === 'journey') return getFirstLine(columns.purpose) || 'Journey'
  if (column === 'title' && entity === 'source') return ''
  if (nullableColumns.has(column)) return column === 'purpose' ? '' : null
  switch (column) {
    case 'occurred_at':
      return context.createdAt
    case 'timezone':
      context.notes.add(noteTexts.assumedZone)
      return context.timezone
    case 'local_date':
      return getLocalDay(String(columns.timezone ?? context.timezone), Number(columns.occurred_at ?? context.createdAt))
    case 'occurred_on':
      return getLocalDay(context.timezone, context.createdAt)
    case 'label':
      return getFirstLine(columns[textColumns[entity]]) || 'Unnamed'
    default:
      return plainFallbacks[column] ?? ''
  }
}

const getFirstLine = (text: unknown) =>
  truncate(cleanOneLine(String(text ?? '').slice(0, 10 * maxFirstLineLength)), maxFirstLineLength)

/** Cautious values for columns that can't be read: hidden from AI, not approved, sealed. */
const plainFallbacks: Record<string, unknown> = {
  agent_id: defaultAgentId,
  ai_visible: false,
  pinned: false,
  status: 'active',
  color: 'ochre',
  state: 'draft',
  transcript_status: 'none',
  still_true: json([]),
  tags: json([]),
  sealed: true,
  category: 'Imported',
  kind: 'conversation',
  messages: json([]),
  keepable: false,
}
