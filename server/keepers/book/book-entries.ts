import type { BookEntry } from '#contract/keepers/book.ts'
import { formatWeather } from '#contract/keepers/format-weather.ts'
import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import { getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import { takePage } from '#server/http/page-bytes.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { toLogbookEntry } from '../logbook/logbook-view.ts'
import { toMoments } from '../moments/moment-view.ts'
import { type BookPosition, type BookSpan, comparePositions, planBook } from './book-plan.ts'

const pageSize = 100

/** Oldest first. @throws Problem 404; 400 for an invalid span or cursor; 413 for a book that is too long */
export async function listBookEntries(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  { cursor, ...span }: BookSpan & { cursor?: string | undefined },
): Promise<{ items: BookEntry[]; next_cursor: string | null }> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { positions, zone, isTooLong } = await planBook(services, keeper, span)
  if (isTooLong) throw createTooLong()
  const end = cursor === undefined ? undefined : parseCursor(cursor)
  const remaining = end ? positions.filter((position) => comparePositions(position, end) > 0) : positions
  const page = takePage(remaining, pageSize)
  const last = page.length < remaining.length ? page.at(-1) : undefined
  return {
    items: await loadBookEntries(services, page, zone),
    next_cursor: last ? [last.day, last.at, last.kind, last.id].join('~') : null,
  }
}

export const createTooLong = () =>
  new Problem('too-large', { message: 'A book has at most 10,000 entries. Choose a shorter span of time.' })

function parseCursor(cursor: string): Omit<BookPosition, 'size'> {
  const [, day, at, kind, id] =
    /^(\d{4}-\d\d-\d\d)~(-?\d{1,15})~(moment|reflection|logbook)~(.{1,64})$/.exec(cursor) ?? []
  if (!day || !at || !kind || !id) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return { day, at: Number(at), kind: kind as BookPosition['kind'], id }
}

/** In the order of `positions`; entries deleted since then are left out. */
export async function loadBookEntries(
  services: Services,
  positions: readonly BookPosition[],
  zone: string,
): Promise<BookEntry[]> {
  const { db } = services
  const byKind = Map.groupBy(positions, ({ kind }) => kind)
  const getIds = (kind: BookPosition['kind']) => (byKind.get(kind) ?? []).map(({ id }) => id)
  const [momentIds, reflectionIds, logbookIds] = [getIds('moment'), getIds('reflection'), getIds('logbook')]
  const [moments, reflections, logbook] = await Promise.all([
    momentIds.length === 0 ? [] : db.selectFrom('moments').selectAll().where('id', 'in', momentIds).execute(),
    reflectionIds.length === 0
      ? []
      : db.selectFrom('reflections').selectAll().where('id', 'in', reflectionIds).execute(),
    logbookIds.length === 0 ? [] : db.selectFrom('logbook_entries').selectAll().where('id', 'in', logbookIds).execute(),
  ])
  const none = { title: null, details: [], media: [] }
  const entries = new Map<string, BookEntry>()
  for (const moment of await toMoments(services, moments.filter(isThere))) entries.set(moment.id, fromMoment(moment))
  for (const { id, topic, content, created_at } of reflections.filter(isThere))
    entries.set(id, {
      ...none,
      kind: 'reflection',
      id,
      day: '',
      time: getLocalTime(zone, created_at),
      title: topic,
      text: content,
    })
  for (const row of logbook.filter(isThere)) {
    const { id, label, category, tags, entry } = toLogbookEntry(row)
    entries.set(id, {
      ...none,
      kind: 'logbook',
      id,
      day: '',
      time: null,
      title: label,
      details: [category, ...tags],
      text: entry,
    })
  }
  return positions.flatMap(({ id, day }) => {
    const entry = entries.get(id)
    return entry ? [{ ...entry, day }] : []
  })
}

const isThere = ({ deleted_at }: { deleted_at: number | null }) => deleted_at === null

function fromMoment(moment: Moment): BookEntry {
  const { id, localDate, occurredAt, timezone, title, body, media, place, mood, weather, topics } = moment
  const details = [place?.name, mood?.label, weather && formatWeather(weather), ...topics.map(({ name }) => name)]
  return {
    kind: 'moment',
    id,
    day: localDate,
    time: getLocalTime(isTimeZone(timezone) ? timezone : 'UTC', Date.parse(occurredAt)),
    title,
    details: details.flatMap((detail) => detail || []),
    text: body,
    media,
  }
}
