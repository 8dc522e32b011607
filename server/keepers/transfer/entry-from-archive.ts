import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import { LruMap } from '#contract/lru-map.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
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
import type { ArchivedEntry } from './archive-format.ts'
import { assertStorable } from './assert-storable.ts'

const maxTextLength = 500_000
const maxJsonLength = 100_000
const maxTimezoneLength = 64

/** Validating a time zone takes 0.2 ms, and an archive repeats few of them. */
const timezoneCache = new LruMap<string, boolean>(1000)

export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry'
}

export type ResolveId = (entity: ArchivedEntity, origin: string) => string | null

/** Validates every column: anyone can write an archive. @throws UnreadableEntry
 * @param notes receives a line for each value too long for its field, which moves to the text of the entry */
export function readColumns(
  entity: ArchivedEntity,
  entry: ArchivedEntry,
  resolveId: ResolveId,
  notes: string[],
): Record<string, unknown> {
  const overflows: { name: string; text: string }[] = []
  const values = Object.entries(archiveColumns[entity]).map(([column, kind]) => {
    const name = toArchiveName(column)
    const value = getSealedText(entity, name, entry) ?? entry[name]
    if (value === null || value === undefined) {
      if (nullableColumns.has(column)) return [column, column === 'purpose' ? '' : null]
      throw new UnreadableEntry(`${name} is missing`)
    }
    const storedValue = readValue(name, value, kind, resolveId)
    const { value: fittingValue, overflow } = cutToFit(storedValue, kind)
    if (overflow !== '') overflows.push({ name, text: overflow })
    return [column, fittingValue === '' && storedValue !== '' && nullableColumns.has(column) ? null : fittingValue]
  })
  const columns = Object.fromEntries(values)
  if (overflows.length === 0) return columns
  const column = textColumns[entity]
  const fullText = [...overflows.map(({ text }) => text), columns[column] ?? ''].join('\n\n')
  columns[column] = readValue(toArchiveName(column), fullText, 'text', resolveId)
  for (const { name } of overflows)
    notes.push(`${entity} ${entry.id}: its ${name} is too long, so the rest was moved to the beginning of its text.`)
  return columns
}

function cutToFit(value: unknown, kind: ColumnKind): { value: unknown; overflow: string } {
  if (typeof value !== 'string' || typeof kind !== 'object' || !('maxLength' in kind))
    return { value: value, overflow: '' }
  const cleaned = toDisplayLine(value)
  if (cleaned.length <= kind.maxLength) return { value: cleaned, overflow: '' }
  const text = value.trim()
  const cutText = truncate(text, kind.maxLength)
  return { value: toDisplayLine(cutText), overflow: text.slice(cutText.length) }
}

function getSealedText(entity: ArchivedEntity, name: string, entry: ArchivedEntry): string | undefined {
  if (entity !== 'echo' || name !== 'message' || typeof entry.sealedMessage !== 'string') return undefined
  return Buffer.from(entry.sealedMessage, 'base64').toString('utf8')
}

function readValue(name: string, value: unknown, kind: ColumnKind, resolveId: ResolveId): unknown {
  const requireThat = (isMet: boolean, expected: string) => {
    if (!isMet) throw new UnreadableEntry(`${name} is not ${expected}`)
  }
  try {
    assertStorable(value)
  } catch {
    throw new UnreadableEntry(`${name} contains a character that can’t be stored, or is nested too deeply`)
  }
  if (typeof kind === 'object') {
    if ('from' in kind) {
      const { from, to } = kind
      const isInRange = typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to
      requireThat(isInRange, `a whole number from ${from} to ${to}`)
      return value
    }
    if ('json' in kind) {
      const parsed = kind.json.safeParse(name === 'triggerConditions' ? toLocalConditions(value, resolveId) : value)
      requireThat(parsed.success, 'valid')
      const storedValue = json(parsed.data as object)
      requireThat(kind.grows || storedValue.length <= maxJsonLength, 'short enough')
      return storedValue
    }
    if ('maxLength' in kind) return readValue(name, value, 'text', resolveId)
    requireThat(typeof value === 'string', 'a text')
    if ('ref' in kind) return resolveId(kind.ref, value as string)
    requireThat(kind.oneOf.includes(value as string), `one of ${kind.oneOf.join(', ')}`)
    return value
  }
  switch (kind) {
    case 'boolean':
      requireThat(typeof value === 'boolean', 'true or false')
      return value
    case 'time':
      return parseTime(name, value)
    case 'day':
      requireThat(
        typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)),
        'a day',
      )
      return value
    case 'timezone':
      requireThat(typeof value === 'string' && isValidTimezone(value), 'a time zone')
      return value
    case 'text':
      requireThat(
        typeof value === 'string' && value.length <= maxTextLength,
        `a text of at most ${maxTextLength} characters`,
      )
      return value
  }
}

function toLocalConditions(value: unknown, resolveId: ResolveId): unknown {
  if (typeof value !== 'object' || value === null || !('journeyId' in value)) return value
  const { journeyId, ...conditions } = value
  const localId = typeof journeyId === 'string' ? resolveId('journey', journeyId) : null
  return localId === null ? conditions : { ...conditions, journeyId: localId }
}

function isValidTimezone(name: string): boolean {
  if (name.length > maxTimezoneLength) return false
  const isValid = timezoneCache.get(name) ?? isTimeZone(name)
  timezoneCache.set(name, isValid)
  return isValid
}

/** Milliseconds. @throws UnreadableEntry */
function parseTime(name: string, value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new UnreadableEntry(`${name} is not a time`)
  return time
}
