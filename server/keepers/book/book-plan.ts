import { sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import { type BookEntry, type BookOutline, maxBookEntries } from '#contract/keepers/book.ts'
import { formatWeather } from '#contract/keepers/format-moment.ts'
import { isTimeZone } from '#contract/keepers/keeper-fields.ts'
import { createAscendingDayLookup, getInstant, getLocalTime, getNextDay } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import { takeFittingRows } from '#server/http/pages.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { toLogbookEntry } from '../logbook/list-logbook.ts'
import { toMoments } from '../moments/moment-view.ts'
import { getPersonTimezone } from '../person-timezone.ts'

export interface BookSpan {
  from?: string | undefined
  to?: string | undefined
}

/** The position of an entry in a book, without its text. */
export interface BookPosition {
  kind: 'moment' | 'reflection' | 'logbook'
  id: string
  day: string
  /** Milliseconds. */
  at: number
  /** Bytes. */
  size: number
}

interface BookPlan {
  positions: BookPosition[]
  /** Time zone of entries without one. */
  zone: string
  isTooLong: boolean
}

/** Lists positions in the order of the book; if it is too long, only its first ones. @throws Problem 400 for the span */
export async function planBook(services: Services, keeper: KeeperRow, span: BookSpan): Promise<BookPlan> {
  const zone = await getPersonTimezone(services, keeper.owner_id)
  const { moments, reflections, logbook } = buildBookQueries(services, keeper, span, zone)
  const limit = maxBookEntries + 1
  const [momentRows, reflectionRows, logbookRows] = await Promise.all([
    services.db.longRead(
      moments
        .select(['id', 'local_date as day', 'occurred_at as at', sql<number>`octet_length(body)`.as('size')])
        .orderBy('local_date')
        .limit(limit),
    ),
    services.db.longRead(
      reflections
        .select(['id', 'created_at as at', sql<number>`octet_length(content)`.as('size')])
        .orderBy('created_at')
        .limit(limit),
    ),
    services.db.longRead(
      logbook
        .select(['id', 'occurred_on as day', 'created_at as at', sql<number>`octet_length(entry)`.as('size')])
        .orderBy('occurred_on')
        .limit(limit),
    ),
  ])
  const toDay = createAscendingDayLookup(zone)
  const positions: BookPosition[] = [
    ...momentRows.map((row) => ({ kind: 'moment' as const, ...row, size: Number(row.size) })),
    ...reflectionRows.map((row) => ({
      kind: 'reflection' as const,
      ...row,
      day: toDay(row.at),
      size: Number(row.size),
    })),
    ...logbookRows.map((row) => ({ kind: 'logbook' as const, ...row, size: Number(row.size) })),
  ]
  positions.sort(comparePositions)
  return { positions, zone, isTooLong: positions.length > maxBookEntries }
}

function comparePositions(a: Omit<BookPosition, 'size'>, b: Omit<BookPosition, 'size'>): number {
  return compareStrings(a.day, b.day) || a.at - b.at || compareStrings(a.kind, b.kind) || compareStrings(a.id, b.id)
}

export async function outlineBook(services: Services, keeper: KeeperRow, span: BookSpan): Promise<BookOutline> {
  const { positions, zone, isTooLong } = await planBook(services, keeper, span)
  const { moments, reflections, logbook } = buildBookQueries(services, keeper, span, zone)
  const counts = await Promise.all(
    [moments, reflections, logbook].map(async (entries) => {
      const [row] = await services.db.longRead<{ count: number }>(
        (entries as typeof moments).select(({ fn }) => fn.countAll<number>().as('count')),
      )
      return Number(row?.count ?? 0)
    }),
  )
  const [pictures] = await services.db.longRead(
    services.db
      .selectFrom('media')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('entity', '=', 'moment')
      .where('mime', 'like', 'image/%')
      .where('entity_id', 'in', moments.select('id')),
  )
  return {
    entries: counts.reduce((total, count) => total + count, 0),
    pictures: Number(pictures?.count ?? 0),
    first: positions[0]?.day ?? null,
    last: isTooLong ? null : (positions.at(-1)?.day ?? null),
    chapters: isTooLong ? [] : groupByMonth(positions).map(([month, { length: entries }]) => ({ month, entries })),
  }
}

export const groupByMonth = (positions: readonly BookPosition[]): [month: string, BookPosition[]][] => [
  ...Map.groupBy(positions, ({ day }) => day.slice(0, 7)),
]

/** Years have four digits, so no day follows this one. */
const lastDay = '9999-12-31'

function buildBookQueries({ db }: Services, keeper: KeeperRow, { from, to }: BookSpan, zone: string) {
  if (from !== undefined && to !== undefined && from > to) throw badField('to', 'Choose a day on or after "from".')
  let moments = db.selectFrom('moments').where('keeper_id', '=', keeper.id).where('deleted_at', 'is', null)
  let reflections = db.selectFrom('reflections').where('keeper_id', '=', keeper.id).where('deleted_at', 'is', null)
  let logbook = db.selectFrom('logbook_entries').where('keeper_id', '=', keeper.id).where('deleted_at', 'is', null)
  if (from !== undefined) {
    moments = moments.where('local_date', '>=', from)
    reflections = reflections.where('created_at', '>=', getInstant(zone, from, '00:00'))
    logbook = logbook.where('occurred_on', '>=', from)
  }
  if (to !== undefined) {
    moments = moments.where('local_date', '<=', to)
    reflections = reflections.where('created_at', '<', getInstant(zone, to === lastDay ? to : getNextDay(to), '00:00'))
    logbook = logbook.where('occurred_on', '<=', to)
  }
  return { moments, reflections, logbook }
}

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
  if (isTooLong) throw createBookTooLongProblem()
  const previousEnd = cursor === undefined ? undefined : parseBookCursor(cursor)
  const remainingPositions = previousEnd
    ? positions.filter((position) => comparePositions(position, previousEnd) > 0)
    : positions
  const page = takeFittingRows(remainingPositions, pageSize)
  const last = page.length < remainingPositions.length ? page.at(-1) : undefined
  return {
    items: await loadBookEntries(services, page, zone),
    next_cursor: last ? [last.day, last.at, last.kind, last.id].join('~') : null,
  }
}

export const createBookTooLongProblem = () =>
  new Problem('too-large', { message: 'A book has at most 10,000 entries. Choose a shorter span of time.' })

function parseBookCursor(cursor: string): Omit<BookPosition, 'size'> {
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
  const positionsByKind = Map.groupBy(positions, ({ kind }) => kind)
  const getIds = (kind: BookPosition['kind']) => (positionsByKind.get(kind) ?? []).map(({ id }) => id)
  const momentIds = getIds('moment')
  const reflectionIds = getIds('reflection')
  const logbookIds = getIds('logbook')
  const [moments, reflections, logbook] = await Promise.all([
    momentIds.length === 0 ? [] : db.selectFrom('moments').selectAll().where('id', 'in', momentIds).execute(),
    reflectionIds.length === 0
      ? []
      : db.selectFrom('reflections').selectAll().where('id', 'in', reflectionIds).execute(),
    logbookIds.length === 0 ? [] : db.selectFrom('logbook_entries').selectAll().where('id', 'in', logbookIds).execute(),
  ])
  const emptyFields = { title: null, details: [], media: [] }
  const entries = new Map<string, Omit<BookEntry, 'day'>>()
  for (const moment of await toMoments(services, moments.filter(isNotDeleted)))
    entries.set(moment.id, momentToBookEntry(moment))
  for (const { id, topic, content, created_at } of reflections.filter(isNotDeleted))
    entries.set(id, {
      ...emptyFields,
      kind: 'reflection',
      id,
      time: getLocalTime(zone, created_at),
      title: topic,
      text: content,
    })
  for (const row of logbook.filter(isNotDeleted)) {
    const { id, label, category, tags, entry } = toLogbookEntry(row)
    entries.set(id, {
      ...emptyFields,
      kind: 'logbook',
      id,
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

const isNotDeleted = ({ deleted_at }: { deleted_at: number | null }) => deleted_at === null

function momentToBookEntry(moment: Moment): BookEntry {
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
