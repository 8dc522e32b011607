import type { Keeper } from '#contract/keepers/keepers.ts'
import { counted } from '#web/ui/counted.ts'
import { numberWord } from '../number-words.ts'

/** The type's name, or the stored word for a keeper without a type. */
export function typeNameOf(keeper: Pick<Keeper, 'KeeperType' | 'keeperType'>): string {
  const word = keeper.KeeperType?.name ?? keeper.keeperType
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function typeNamesOn(keepers: readonly Pick<Keeper, 'KeeperType' | 'keeperType'>[]): string[] {
  return [...new Set(keepers.map(typeNameOf))].sort((a, b) => a.localeCompare(b, 'en-US'))
}

/** Searches title and purpose, ignoring case; matches the type name exactly. An empty type matches all. */
export function keepersMatching<K extends Pick<Keeper, 'title' | 'purpose' | 'KeeperType' | 'keeperType'>>(
  keepers: readonly K[],
  query: string,
  typeName: string,
): K[] {
  const wanted = query.trim().toLowerCase()
  return keepers.filter(
    (keeper) =>
      (keeper.title.toLowerCase().includes(wanted) || keeper.purpose.toLowerCase().includes(wanted)) &&
      (typeName === '' || typeNameOf(keeper) === typeName),
  )
}

/** 'Six keepers on the shelf.' */
export function shelfSentence(count: number): string {
  return `${numberWord(count)} ${count === 1 ? 'keeper' : 'keepers'} on the shelf.`
}

/** '4 journeys, 214 entries' */
export function contentsSentence({ _count, entryCount }: Pick<Keeper, '_count' | 'entryCount'>): string {
  const journeys = counted(_count.Journey, 'journey')
  // Servers that implement only the specification omit `entryCount`.
  return entryCount === undefined ? journeys : `${journeys}, ${counted(entryCount, 'entry', 'entries')}`
}

const steps: [limitMinutes: number, unit: Intl.RelativeTimeFormatUnit, minutes: number][] = [
  [60, 'minute', 1],
  [24 * 60, 'hour', 60],
  [30 * 24 * 60, 'day', 24 * 60],
  [365 * 24 * 60, 'month', 30 * 24 * 60],
  [Number.POSITIVE_INFINITY, 'year', 365 * 24 * 60],
]
const years = steps[4] as (typeof steps)[number]
const relative = new Intl.RelativeTimeFormat('en-US')

/** 'just now', '2 hours ago' */
export function timeSince(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(at).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  const [, unit, size] = steps.find(([limit]) => minutes < limit) ?? years
  return relative.format(-Math.floor(minutes / size), unit)
}
