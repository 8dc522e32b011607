import type { Keeper } from '#contract/keepers/keepers.ts'
import { counted } from '#web/ui/counted.ts'
import { numberWord } from '../number-words.ts'

/** What the shelf filters by: the name of the type, or the word the keeper was made with. */
export function typeNameOf(keeper: Pick<Keeper, 'KeeperType' | 'keeperType'>): string {
  const word = keeper.KeeperType?.name ?? keeper.keeperType
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The types that stand on the shelf, by name. */
export function typeNamesOn(keepers: readonly Pick<Keeper, 'KeeperType' | 'keeperType'>[]): string[] {
  return [...new Set(keepers.map(typeNameOf))].sort((a, b) => a.localeCompare(b, 'en-US'))
}

/** Search matches title or purpose, in any case; the type's name exactly. An empty type is every type. */
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
  // A server that knows only the fields of the specification does not say it.
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

/** A time relative to now: 'just now', '2 hours ago' */
export function timeSince(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - new Date(at).getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  const [, unit, size] = steps.find(([limit]) => minutes < limit) ?? years
  return relative.format(-Math.floor(minutes / size), unit)
}
