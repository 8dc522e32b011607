import type { Keeper } from '#contract/keepers/keepers.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

/** The type's name, or the stored word for a keeper without a type. */
export function getTypeName(keeper: Pick<Keeper, 'KeeperType' | 'keeperType'>): string {
  const name = keeper.KeeperType?.name ?? keeper.keeperType
  return name.charAt(0).toUpperCase() + name.slice(1)
}

export function listTypeNames(keepers: readonly Pick<Keeper, 'KeeperType' | 'keeperType'>[]): string[] {
  return [...new Set(keepers.map(getTypeName))].sort((a, b) => a.localeCompare(b, 'en-US'))
}

/** Searches title and purpose; matches the type name exactly. An empty type matches all. */
export function filterKeepers<K extends Pick<Keeper, 'title' | 'purpose' | 'KeeperType' | 'keeperType'>>(
  keepers: readonly K[],
  query: string,
  typeName: string,
): K[] {
  const isMatch = createTextFilter(query)
  return keepers.filter(
    (keeper) => isMatch(keeper.title, keeper.purpose) && (typeName === '' || getTypeName(keeper) === typeName),
  )
}

export function formatKeeperCount(count: number): string {
  return `${toNumberWord(count)} ${count === 1 ? 'keeper' : 'keepers'} on the shelf.`
}

export function formatKeeperContents({ _count, entryCount }: Pick<Keeper, '_count' | 'entryCount'>): string {
  const journeys = pluralize(_count.Journey, 'journey')
  // Servers that implement only the specification omit `entryCount`.
  return entryCount === undefined ? journeys : `${journeys}, ${pluralize(entryCount, 'entry', 'entries')}`
}

const relativeTimeUnits: [limitMinutes: number, unit: Intl.RelativeTimeFormatUnit, minutes: number][] = [
  [60, 'minute', 1],
  [24 * 60, 'hour', 60],
  [30 * 24 * 60, 'day', 24 * 60],
  [365 * 24 * 60, 'month', 30 * 24 * 60],
  [Number.POSITIVE_INFINITY, 'year', 365 * 24 * 60],
]
const yearUnit = relativeTimeUnits[4] as (typeof relativeTimeUnits)[number]
const relativeTimeFormat = new Intl.RelativeTimeFormat('en-US')

/** 'just now', '2 hours ago' */
export function formatTimeSince(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(at).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  const [, unit, unitMinutes] = relativeTimeUnits.find(([limitMinutes]) => minutes < limitMinutes) ?? yearUnit
  return relativeTimeFormat.format(-Math.floor(minutes / unitMinutes), unit)
}

const numberWords = [
  'No',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
]

/** 'Six', for the start of a sentence; from 13 on, digits. */
const toNumberWord = (count: number): string => numberWords[count] ?? count.toLocaleString('en-US')

export function isWrittenToday(lastEntryAt: string | null, now: Date): boolean {
  return lastEntryAt !== null && new Date(lastEntryAt).toDateString() === now.toDateString()
}
