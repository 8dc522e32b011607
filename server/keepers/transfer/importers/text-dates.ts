import { getInstant } from '#contract/keepers/local-time.ts'
import { trimEndMatching } from '#contract/trim-end.ts'
import { parseTimezone } from '../to-moment-part.ts'
import { toInstant } from './foreign-values.ts'

// Dates as people and apps write them in names, headings and properties, in many languages.

export interface WrittenDate {
  /** Such as 2024-11-03. */
  day: string
  /** Such as 07:15 or 07:15:30. */
  time?: string | undefined
  /** Such as +02:00. */
  offset?: string | undefined
}

/** A day without a time is noon there. */
export function getWrittenInstant({ day, time, offset }: WrittenDate, timezone: string): number {
  return getInstant(offset ?? timezone, day, time ?? '12:00')
}

const locales =
  'en de fr es it pt nl sv da nb fi pl cs sk ru uk tr ro hu el bg sl et lv lt is ca id vi he ar hi th'.split(' ')

const normalizeWord = (word: string) =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()

let namesOfDates: { months: ReadonlyMap<string, number>; weekdays: ReadonlySet<string> } | undefined

/** Alone and beside a day, as many languages inflect them. A name of two months in two languages is of neither. */
function getNamesOfDates() {
  if (namesOfDates) return namesOfDates
  const months = new Map<string, number>()
  const weekdays = new Set<string>()
  const ambiguous = new Set<string>()
  for (const locale of locales)
    for (const style of ['long', 'short'] as const) {
      const alone = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn', month: style } as const
      for (const options of [alone, { ...alone, day: 'numeric', year: 'numeric' } as const])
        for (const [index, name] of readNames(locale, options, 'month').entries()) {
          if (!/\p{L}/u.test(name) || /\d/.test(name)) continue
          if ((months.get(name) ?? index + 1) !== index + 1) ambiguous.add(name)
          months.set(name, index + 1)
        }
      for (const name of readNames(locale, { timeZone: 'UTC', weekday: style }, 'weekday'))
        for (const word of name.split('-')) weekdays.add(word)
    }
  for (const name of ambiguous) months.delete(name)
  namesOfDates = { months, weekdays }
  return namesOfDates
}

/** Of the first days of all months, or of seven days. */
function readNames(locale: string, options: Intl.DateTimeFormatOptions, type: 'month' | 'weekday'): string[] {
  const format = new Intl.DateTimeFormat(locale, options)
  return Array.from({ length: type === 'month' ? 12 : 7 }, (_, at) => {
    const parts = format.formatToParts(type === 'month' ? Date.UTC(2024, at, 15) : Date.UTC(2024, 0, 1 + at))
    return normalizeWord(parts.find((part) => part.type === type)?.value ?? '')
  })
}

/** Words beside numbers and names, such as “3 de noviembre de 2024, 7:15 Uhr”. */
const connectors = new Set('of the de del di le den dem il at um kl klo a o em uhr г года р roku year'.split(' '))

const maxDateLength = 120

/** The date that a whole text is, such as “Sunday, November 3rd 2024” or “3. November 2024 07:15 → 08:00”. */
export function readWrittenDate(source: string): WrittenDate | undefined {
  const [first = ''] = source.normalize('NFKC').split('→')
  const text = first.trim().replace(/^@/, '')
  if (text.length > maxDateLength || !/\d/.test(text)) return undefined
  const { rest: withoutZone, offset } = takeOffset(text)
  const { rest, time } = takeTime(withoutZone)
  const day = readDay(trimEndMatching(rest, /[\s,]/))
  return day === undefined ? undefined : { day, time, offset }
}

function takeOffset(text: string): { rest: string; offset?: string | undefined } {
  const zone = /\s?\(?(?:(?:GMT|UTC)([+-]\d{1,2}(?::?\d{2})?)?|(?<=:\d{2})(Z|[+-]\d{2}:?\d{2}))\)?$/i.exec(text)
  if (!zone) return { rest: text }
  const name = zone[1] ?? zone[2] ?? '+00:00'
  return { rest: text.slice(0, zone.index), offset: parseTimezone(/^z$/i.test(name) ? '+00:00' : name) }
}

const clock =
  /(오전|오후|上午|下午|午前|午後)?\s?(?<!\d)(\d{1,2})[:時시](\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?[분分]?\s?([ap])?\.?\s?(?:m\b\.?)?/iu

function takeTime(text: string): { rest: string; time?: string } {
  const match = clock.exec(text)
  if (!match) return { rest: text }
  const [all, before, hour = '', minute = '', second, after] = match
  const isAfternoon = /오후|下午|午後/.test(before ?? '') || /p/i.test(after ?? '')
  const isMorning = !isAfternoon && (before !== undefined || after !== undefined)
  const hours = isAfternoon ? (Number(hour) % 12) + 12 : isMorning ? Number(hour) % 12 : Number(hour)
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return { rest: text }
  const time = [String(hours).padStart(2, '0'), minute, second].filter(Boolean).join(':')
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + all.length)}`
  return { rest: rest.trim().replace(/(?<=\d)[T,]$/i, ''), time }
}

function readDay(text: string): string | undefined {
  const iso =
    /^(\d{4})[-/._](\d{1,2})[-/._](\d{1,2})\.?$/.exec(text) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일](?:\s?\(?\p{L}{1,3}\)?)?$/u.exec(text)
  if (iso) return toDay(iso[1], iso[2], iso[3])
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text)
  if (dotted) return toDay(dotted[3], dotted[2], dotted[1])
  const slashed = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/.exec(text)
  if (slashed) return readSlashedDay(Number(slashed[1]), Number(slashed[3]), slashed[4])
  return readNamedDay(text)
}

/** 11/03/2024 is a day in March or in November, depending on the country. */
function readSlashedDay(first: number, second: number, year: string | undefined): string | undefined {
  if (first > 12 || first === second) return toDay(year, String(second), String(first))
  return second > 12 ? toDay(year, String(first), String(second)) : undefined
}

function readNamedDay(text: string): string | undefined {
  const { months, weekdays } = getNamesOfDates()
  const match: { year?: string; month?: string; day?: string } = {}
  for (const word of text.split(/[\s,/_()-]+/)) {
    const name = normalizeWord(word)
    if (name === '' || connectors.has(name) || weekdays.has(name)) continue
    const month = months.get(name)
    const number = /^(\d{1,4})(?:st|nd|rd|th|er|º|ª|o|a)?$/.exec(name)?.[1]
    if (month !== undefined && match.month === undefined) match.month = String(month)
    else if (number?.length === 4 && match.year === undefined) match.year = number
    else if (number !== undefined && number.length <= 2 && match.day === undefined) match.day = number
    else return undefined
  }
  return toDay(match.year, match.month, match.day)
}

function toDay(year = '', month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return toInstant(date) === undefined ? undefined : date
}

const dashedName =
  /(?<!\d)(\d{4})([-_.])(\d{2})\2(\d{2})(?:[ T_-]{1,3}(\d{2})[-:._h]?(\d{2})(?:[-:._]?(\d{2}))?(?:\.\d{1,6})?([+-]\d{2}[:_]\d{2}|Z)?(?!\d))?(?!\d)/
const compactName = /(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?:[ T_-]?(\d{2})(\d{2})(\d{2})?)?(?!\d)/

/** A date at any place in the name of a file, such as “2024-11-03 0715 At the sea”. */
export function findDateInName(name: string): WrittenDate | undefined {
  const dashed = dashedName.exec(name)
  if (dashed) {
    const day = toDay(dashed[1], dashed[3], dashed[4])
    const offset =
      dashed[8] === undefined ? undefined : parseTimezone(dashed[8].replace('_', ':').replace('Z', '+00:00'))
    if (day !== undefined) return { day, time: toTime(dashed[5], dashed[6], dashed[7]), offset }
  }
  const compact = compactName.exec(name)
  const day = compact ? toDay(compact[1], compact[2], compact[3]) : undefined
  if (compact && day !== undefined) return { day, time: toTime(compact[4], compact[5], compact[6]) }
  return readWrittenDate(name) ?? readWeekOrMonth(name)
}

function toTime(hour?: string, minute?: string, second?: string): string | undefined {
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59) return undefined
  return [hour, minute, second !== undefined && Number(second) <= 59 ? second : undefined].filter(Boolean).join(':')
}

/** Notes of a week or month stand for its first day. */
function readWeekOrMonth(name: string): WrittenDate | undefined {
  const week = /^(\d{4})-?W(\d{2})$/i.exec(name.trim())
  const month = /^(\d{4})-(\d{2})$/.exec(name.trim())
  const day = week ? getMonday(Number(week[1]), Number(week[2])) : month ? toDay(month[1], month[2], '01') : undefined
  return day === undefined ? undefined : { day }
}

const dayMs = 86_400_000

/** The first day of an ISO week; week 1 has January 4. */
function getMonday(year: number, week: number): string | undefined {
  if (week < 1 || week > 53) return undefined
  const fourth = Date.UTC(year, 0, 4)
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7
  return new Date(fourth - weekday * dayMs + (week - 1) * 7 * dayMs).toISOString().slice(0, 10)
}

const letters = /[\p{L}\p{M}]{1,20}(?:-feira)?\.?/uy
const twoDigits = /\d{2}/y
const oneOrTwo = /\d{1,2}/y
const ordinal = /\d{1,2}(?:st|nd|rd|th|er|[.ºª])?/iy

const formatTokens: Record<
  string,
  [pattern: RegExp, field?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'half' | 'week']
> = {
  ...{ YYYY: [/\d{4}/y, 'year'], gggg: [/\d{4}/y, 'year'], GGGG: [/\d{4}/y, 'year'], YY: [twoDigits, 'year'] },
  ...{ MMMM: [letters, 'month'], MMM: [letters, 'month'], MM: [twoDigits, 'month'], Mo: [ordinal, 'month'] },
  ...{ M: [oneOrTwo, 'month'], DD: [twoDigits, 'day'], Do: [ordinal, 'day'], D: [oneOrTwo, 'day'] },
  ...{ dddd: [letters], ddd: [letters], dd: [letters], d: [/\d/y] },
  ...{ HH: [twoDigits, 'hour'], hh: [twoDigits, 'hour'], H: [oneOrTwo, 'hour'], h: [oneOrTwo, 'hour'] },
  ...{ mm: [twoDigits, 'minute'], ss: [twoDigits], A: [/[ap]m/iy, 'half'], a: [/[ap]m/iy, 'half'] },
  ...{ ww: [twoDigits, 'week'], WW: [twoDigits, 'week'], w: [oneOrTwo, 'week'], W: [oneOrTwo, 'week'] },
}
const formatParts =
  /\[([^\][]*)\]|YYYY|gggg|GGGG|YY|MMMM|MMM|MM|Mo|M|DD|Do|D|dddd|ddd|dd|d|HH|hh|H|h|mm|ss|A|a|ww|WW|w|W|[\s\S]/g

/** A text in a format of moment.js, as Obsidian's daily notes have it. */
export function readFormattedDate(text: string, format: string): WrittenDate | undefined {
  const match: Record<string, string> = {}
  let at = 0
  for (const [part, literal] of format.slice(0, 200).matchAll(formatParts)) {
    const [pattern, field] = literal === undefined ? (formatTokens[part] ?? []) : []
    if (!pattern) {
      const expected = literal ?? part
      if (text.slice(at, at + expected.length).toLowerCase() !== expected.toLowerCase()) return undefined
      at += expected.length
      continue
    }
    pattern.lastIndex = at
    const value = pattern.exec(text)?.[0]
    if (value === undefined) return undefined
    at += value.length
    if (field) match[field] ??= value
  }
  if (at !== text.length) return undefined
  return assembleDate(match)
}

function assembleDate({ year = '', month, day, hour, minute = '00', half = '', week }: Record<string, string>) {
  const fullYear = year.length === 2 ? `20${year}` : year
  const monthNumber = month === undefined ? undefined : (getNamesOfDates().months.get(normalizeWord(month)) ?? month)
  const date =
    monthNumber === undefined && week !== undefined
      ? getMonday(Number(fullYear), Number(week))
      : toDay(fullYear, String(monthNumber ?? '').replace(/\D/g, ''), (day ?? '1').replace(/\D/g, ''))
  if (date === undefined) return undefined
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  return { day: date, ...(hour !== undefined && { time: toTime(String(hours).padStart(2, '0'), minute) }) }
}

/** Logseq writes formats as Java does: `EEEE, MMM do, yyyy`. */
export function toMomentFormat(format: string): string {
  return format.replace(/'([^']*)'|E{1,4}|do|d{1,2}|y{1,4}/g, (token, quoted?: string) => {
    if (quoted !== undefined) return `[${quoted}]`
    if (token.startsWith('E')) return 'ddd'
    if (token === 'do') return 'Do'
    return token.toUpperCase()
  })
}
