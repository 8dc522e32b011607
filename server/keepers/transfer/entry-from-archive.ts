import { isTimeZone } from '#contract/keepers/keeper-words.ts'
import { LruMap } from '#contract/lru-map.ts'
import { showOneLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { json } from '#server/db/database.ts'
import {
  type ArchivedEntity,
  archiveColumns,
  archiveName,
  type ColumnKind,
  mayBeEmpty,
  textColumns,
} from './archive-columns.ts'
import type { ArchivedEntry } from './archive-format.ts'
import { assertStorable } from './assert-storable.ts'

const longestText = 500_000
const longestJson = 100_000
const longestZone = 64

/** Validating a time zone takes 0.2 ms, and an archive repeats few of them. */
const zones = new LruMap<string, boolean>(1000)

export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry'
}

/** Maps an id of the archive to the id here. */
export type Here = (entity: ArchivedEntity, origin: string) => string | null

/**
 * Validates every column: anyone can write an archive.
 * @param notes receives a line for each value too long for its field, which moves to the text of the entry
 * @throws UnreadableEntry
 */
export function columnsOf(
  entity: ArchivedEntity,
  entry: ArchivedEntry,
  here: Here,
  notes: string[],
): Record<string, unknown> {
  const moved: { name: string; text: string }[] = []
  const values = Object.entries(archiveColumns[entity]).map(([column, kind]) => {
    const name = archiveName(column)
    const value = textOfEcho(entity, name, entry) ?? entry[name]
    if (value === null || value === undefined) {
      if (mayBeEmpty.has(column)) return [column, column === 'purpose' ? '' : null]
      throw new UnreadableEntry(`${name} is missing`)
    }
    const stored = read(name, value, kind, here)
    const { kept, rest } = cutToFit(stored, kind)
    if (rest !== '') moved.push({ name, text: rest })
    return [column, kept === '' && stored !== '' && mayBeEmpty.has(column) ? null : kept]
  })
  const columns = Object.fromEntries(values)
  if (moved.length === 0) return columns
  const column = textColumns[entity]
  const whole = [...moved.map(({ text }) => text), columns[column] ?? ''].join('\n\n')
  columns[column] = read(archiveName(column), whole, 'text', here)
  for (const { name } of moved)
    notes.push(`${entity} ${entry.id}: its ${name} is too long, so the rest was moved to the start of its text.`)
  return columns
}

function cutToFit(value: unknown, kind: ColumnKind): { kept: unknown; rest: string } {
  if (typeof value !== 'string' || typeof kind !== 'object' || !('maxLength' in kind)) return { kept: value, rest: '' }
  const cleaned = showOneLine(value)
  if (cleaned.length <= kind.maxLength) return { kept: cleaned, rest: '' }
  const text = value.trim()
  const cut = truncate(text, kind.maxLength)
  return { kept: showOneLine(cut), rest: text.slice(cut.length) }
}

function textOfEcho(entity: ArchivedEntity, name: string, entry: ArchivedEntry): string | undefined {
  if (entity !== 'echo' || name !== 'message' || typeof entry.sealedMessage !== 'string') return undefined
  return Buffer.from(entry.sealedMessage, 'base64').toString('utf8')
}

function read(name: string, value: unknown, kind: ColumnKind, here: Here): unknown {
  const fits = (is: boolean, what: string) => {
    if (!is) throw new UnreadableEntry(`${name} is not ${what}`)
  }
  try {
    assertStorable(value)
  } catch {
    throw new UnreadableEntry(`${name} contains a character that can't be stored, or is nested too deeply`)
  }
  if (typeof kind === 'object') {
    if ('from' in kind) {
      const { from, to } = kind
      const isOne = typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to
      fits(isOne, `a whole number from ${from} to ${to}`)
      return value
    }
    if ('json' in kind) {
      const given = kind.json.safeParse(name === 'triggerConditions' ? withJourneyHere(value, here) : value)
      fits(given.success, 'valid')
      const stored = json(given.data as object)
      fits(kind.grows || stored.length <= longestJson, 'short enough')
      return stored
    }
    if ('maxLength' in kind) return read(name, value, 'text', here)
    fits(typeof value === 'string', 'a text')
    if ('ref' in kind) return here(kind.ref, value as string)
    fits(kind.oneOf.includes(value as string), `one of ${kind.oneOf.join(', ')}`)
    return value
  }
  switch (kind) {
    case 'boolean':
      fits(typeof value === 'boolean', 'true or false')
      return value
    case 'time':
      return timeIn(name, value)
    case 'day':
      fits(typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)), 'a day')
      return value
    case 'timezone':
      fits(typeof value === 'string' && isKnownZone(value), 'a time zone')
      return value
    case 'text':
      fits(typeof value === 'string' && value.length <= longestText, `a text of at most ${longestText} characters`)
      return value
  }
}

function withJourneyHere(value: unknown, here: Here): unknown {
  if (typeof value !== 'object' || value === null || !('journeyId' in value)) return value
  const { journeyId, ...others } = value
  const known = typeof journeyId === 'string' ? here('journey', journeyId) : null
  return known === null ? others : { ...others, journeyId: known }
}

function isKnownZone(name: string): boolean {
  if (name.length > longestZone) return false
  const known = zones.get(name) ?? isTimeZone(name)
  zones.set(name, known)
  return known
}

/** Milliseconds. @throws UnreadableEntry */
function timeIn(name: string, value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new UnreadableEntry(`${name} is not a time`)
  return time
}
