import { getInstant } from '#contract/keepers/local-time.ts'
import { trimEndMatching } from '#contract/linear-text.ts'
import { dayMs } from '#server/values/time-units.ts'
import { parseTimezone, toInstant } from './foreign-values.ts'

// Parses dates in names, headings and properties, as people and apps write them in many languages.

export interface WrittenDate {
  /** Such as 2024-11-03. */
  day: string
  /** Such as 07:15 or 07:15:30. */
  time?: string | undefined
  /** Such as +02:00. */
  offset?: string | undefined
}

/** A day without a time counts as noon in the time zone. */
export function getWrittenInstant({ day, time, offset }: WrittenDate, timezone: string): number {
  return getInstant(offset ?? timezone, day, time ?? '12:00')
}

const languages =
  'en en-AU de de-AT fr fr-CA es it pt pt-PT nl sv da nb fi is pl cs sk hu ro hr sr sl bg ru uk el tr ca gl id ms vi th ar he hi fa lt lv et ja zh zh-TW ko'.split(
    ' ',
  )

interface MonthName {
  /** 1 to 12. */
  month: number
  /** Whether its language writes a period after the day. */
  hasPeriod: boolean
}

interface DateNames {
  /** A word can be the name of different months, such as “listopada” in Polish and Croatian. */
  months: Map<string, MonthName[]>
  /** Whole names; 0 is Sunday. */
  weekdays: Map<string, Set<number>>
  /** Words of the long and short weekday names. */
  weekdayWords: Set<string>
  digits: Map<string, string>
}

let cachedDateNames: DateNames | undefined

/** Names as people write them, alone and next to a day, from the data of the platform; built on first use. */
function getDateNames(): DateNames {
  if (cachedDateNames) return cachedDateNames
  const names: DateNames = { months: new Map(), weekdays: new Map(), weekdayWords: new Set(), digits: new Map() }
  for (const language of languages) {
    const hasPeriod = /\d\./.test(
      new Intl.DateTimeFormat(language, { dateStyle: 'long', calendar: 'gregory' }).format(0),
    )
    for (const style of ['long', 'short'] as const) {
      const options = { timeZone: 'UTC', calendar: 'gregory', month: style } as const
      for (const nameOptions of [options, { ...options, day: 'numeric', year: 'numeric' } as const])
        for (const [index, name] of readNames(language, nameOptions, 'month').entries()) {
          // The last word, without the “d’” of “d’abril”.
          const word = /\p{N}/u.test(name) ? undefined : toWords(name).at(-1)
          if (word !== undefined && word.length > 1) addMonth(names.months, word, { month: index + 1, hasPeriod })
        }
      for (const [day, weekday] of readNames(language, { timeZone: 'UTC', weekday: style }, 'weekday').entries()) {
        const words = toWords(weekday)
        for (const word of words) names.weekdayWords.add(word).add(withoutMarks(word))
        const name = words.join(' ')
        if (style === 'long') names.weekdays.set(name, (names.weekdays.get(name) ?? new Set()).add(day))
      }
    }
  }
  for (const system of ['arab', 'arabext', 'deva', 'thai', 'fullwide']) {
    const format = new Intl.NumberFormat('en', { numberingSystem: system })
    for (let digit = 0; digit < 10; digit += 1) names.digits.set(format.format(digit), String(digit))
  }
  cachedDateNames = names
  return names
}

/** Names of all months, or of the weekdays starting on Sunday. */
function readNames(language: string, options: Intl.DateTimeFormatOptions, type: 'month' | 'weekday'): string[] {
  const format = new Intl.DateTimeFormat(language, options)
  return Array.from({ length: type === 'month' ? 12 : 7 }, (_, index) => {
    const parts = format.formatToParts(type === 'month' ? Date.UTC(2024, index, 4) : Date.UTC(2024, 0, 7 + index))
    return parts.find((part) => part.type === type)?.value ?? ''
  })
}

/** Adds the name with and without accents, since people leave them out. */
function addMonth(months: DateNames['months'], name: string, { month, hasPeriod }: MonthName): void {
  for (const spelling of [name, withoutMarks(name)]) {
    const others = months.get(spelling) ?? []
    if (!others.some((other) => other.month === month && other.hasPeriod === hasPeriod))
      months.set(spelling, [...others, { month, hasPeriod }])
  }
}

const withoutMarks = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

function toWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  )
}

/** Words next to numbers and names, such as “3 de noviembre de 2024, 7:15 Uhr”. */
const connectors = new Set(
  'of the de del di d le den dem il at um kl klo a o em uhr г года р roku year st nd rd th er tháng năm ngày m gada ค ศ พ'.split(
    ' ',
  ),
)

const maxDateLength = 120

/** Reads a text that is only a date, such as “Sunday, November 3rd 2024” or “3. November 2024 07:15 → 08:00”. */
export function readWrittenDate(source: string): WrittenDate | undefined {
  const [first = ''] = source.normalize('NFKC').split('→')
  const text = first.trim().replace(/^@/, '')
  if (text.length > maxDateLength || !/\d/.test(text)) return undefined
  const { remaining: withoutOffset, offset } = takeOffset(text)
  const { remaining: withoutTime, time } = takeTime(withoutOffset)
  const day = readDay(trimEndMatching(withoutTime, /[\s,]/), { isWhole: true })
  return day === undefined ? undefined : { day, time, offset }
}

function takeOffset(text: string): { remaining: string; offset?: string | undefined } {
  const zone = /\s?\(?(?:(?:GMT|UTC)([+-]\d{1,2}(?::?\d{2})?)?|(?<=:\d{2})(Z|[+-]\d{2}:?\d{2}))\)?$/i.exec(text)
  if (!zone) return { remaining: text }
  const name = zone[1] ?? zone[2] ?? '+00:00'
  return { remaining: text.slice(0, zone.index), offset: parseTimezone(/^z$/i.test(name) ? '+00:00' : name) }
}

const clock =
  /(오전|오후|上午|下午|午前|午後)?\s?(?<!\d)(\d{1,2})[:時시](\d{2})(?::(\d{2}))?(?:[.,]\d{1,9})?[분分]?\s?([ap])?\.?\s?(?:m\b\.?)?/iu

function takeTime(text: string): { remaining: string; time?: string } {
  const match = clock.exec(text)
  if (!match) return { remaining: text }
  const [matched, prefix, hour = '', minute = '', second, suffix] = match
  const isAfternoon = /오후|下午|午後/.test(prefix ?? '') || /p/i.test(suffix ?? '')
  const has12Hours = prefix !== undefined || suffix !== undefined
  const hours = has12Hours ? (Number(hour) % 12) + (isAfternoon ? 12 : 0) : Number(hour)
  if (hours > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return { remaining: text }
  const time = [String(hours).padStart(2, '0'), minute, second].filter(Boolean).join(':')
  const remaining = `${text.slice(0, match.index)} ${text.slice(match.index + matched.length)}`
  return { remaining: remaining.trim().replace(/(?<=\d)[T,]$/i, ''), time }
}

/**
 * The day of a date in words or numbers, in many languages and orders, such as “Sunday, 3 November 2024”. Undefined if
 * there is none, or if neither its weekday nor `near` decides between two meanings.
 * @param near a day such as 2024-11-03 that is at most one day off
 */
export function readWrittenDay(text: string, near?: string): string | undefined {
  return readDay(text.slice(0, maxDateLength), { near })
}

/** @param isWhole if true, text with any other words isn't a date */
function readDay(text: string, { near, isWhole = false }: { near?: string | undefined; isWhole?: boolean }) {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (compact) return toDay(compact[1], compact[2], compact[3])
  const { weekdays, digits } = getDateNames()
  const line = Array.from(text.normalize('NFKC').toLowerCase(), (character) => digits.get(character) ?? character)
    .join('')
    .replace(/(\d)\s?[年月日号號년월일]/gu, '$1 ')
  const numbers = line.match(/\d+/g) ?? []
  const words = toWords(line)
  const named = findMonths(words, /\d\.\s?\p{L}/u.test(line))
  const yearIndex = numbers.findIndex((number) => number.length === 4)
  if (yearIndex < 0 || (isWhole && !isWholeDate(line, words, numbers.length + Math.min(named.length, 1))))
    return undefined
  const year = toGregorianYear(numbers[yearIndex] ?? '')
  const [first, second] = numbers.filter((_, index) => index !== yearIndex)
  const listDays = () => {
    if (named.length > 0) return named.map((month) => toDay(year, String(month), first))
    const monthFirst = toDay(year, first, second)
    if (yearIndex === 0) return [monthFirst]
    const dayFirst = toDay(year, second, first)
    const isDayFirst = words.includes('tháng') || /^[^\d]{0,40}\d{1,2}\.\s?\d{1,2}\.\s?\d{4}/.test(line)
    return isDayFirst ? [dayFirst] : [dayFirst, monthFirst]
  }
  const possible = [...new Set(listDays().filter((day) => day !== undefined))]
  const weekday = findWeekday(words, weekdays)
  const matching = possible.filter((day) => weekday?.has(new Date(day).getUTCDay()) ?? true)
  const candidates = matching.length > 0 ? matching : possible
  if (candidates.length < 2) return candidates[0]
  return candidates.find((day) => near !== undefined && isNear(day, near))
}

function findMonths(words: readonly string[], hasPeriod: boolean): number[] {
  const { months } = getDateNames()
  const names = words.flatMap((word) => months.get(word) ?? months.get(word.replace(/^ב/u, '')) ?? [])
  const likely = names.filter((name) => name.hasPeriod === hasPeriod)
  return [...new Set((likely.length > 0 ? likely : names).map(({ month }) => month))]
}

/** Whether the line has the names, numbers and signs of one date and nothing else. */
function isWholeDate(line: string, words: readonly string[], partCount: number): boolean {
  const { months, weekdayWords } = getDateNames()
  const isPart = (word: string) =>
    connectors.has(word) || weekdayWords.has(word.replace(/ที่$/u, '')) || months.has(word.replace(/^ב/u, ''))
  return partCount === 3 && words.every(isPart) && !/[^\p{L}\p{M}\p{N}\s,،、./_()’'-]/u.test(line)
}

export function isNear(day: string, other: string): boolean {
  return Math.abs(Date.parse(day) - Date.parse(other)) <= dayMs
}

/** Years by which the calendar of Thailand is ahead. */
const thaiYearOffset = 543

const toGregorianYear = (year: string) =>
  Number(year) > 2400 && Number(year) < 2700 ? String(Number(year) - thaiYearOffset) : year

function findWeekday(words: readonly string[], weekdays: DateNames['weekdays']): Set<number> | undefined {
  const text = ` ${words.join(' ')} `
  for (const [name, days] of weekdays) if (text.includes(` ${name} `)) return days
  return undefined
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
  const day = week ? getMonday(Number(week[1]), Number(week[2])) : month && toDay(month[1], month[2], '01')
  return day ? { day } : undefined
}

/** The first day of an ISO week; week 1 has January 4. */
function getMonday(year: number, week: number): string | undefined {
  if (week < 1 || week > 53) return undefined
  const januaryFourth = Date.UTC(year, 0, 4)
  const weekday = (new Date(januaryFourth).getUTCDay() + 6) % 7
  return new Date(januaryFourth - weekday * dayMs + (week - 1) * 7 * dayMs).toISOString().slice(0, 10)
}

const letters = /[\p{L}\p{M}]{1,20}(?:-feira)?\.?/uy
const twoDigits = /\d{2}/y
const oneOrTwoDigits = /\d{1,2}/y
const ordinal = /\d{1,2}(?:st|nd|rd|th|er|[.ºª])?/iy

const formatTokens: Record<
  string,
  [pattern: RegExp, field?: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'dayPeriod' | 'week']
> = {
  YYYY: [/\d{4}/y, 'year'],
  gggg: [/\d{4}/y, 'year'],
  GGGG: [/\d{4}/y, 'year'],
  YY: [twoDigits, 'year'],
  MMMM: [letters, 'month'],
  MMM: [letters, 'month'],
  MM: [twoDigits, 'month'],
  Mo: [ordinal, 'month'],
  M: [oneOrTwoDigits, 'month'],
  DD: [twoDigits, 'day'],
  Do: [ordinal, 'day'],
  D: [oneOrTwoDigits, 'day'],
  dddd: [letters],
  ddd: [letters],
  dd: [letters],
  d: [/\d/y],
  HH: [twoDigits, 'hour'],
  hh: [twoDigits, 'hour'],
  H: [oneOrTwoDigits, 'hour'],
  h: [oneOrTwoDigits, 'hour'],
  mm: [twoDigits, 'minute'],
  ss: [twoDigits],
  A: [/[ap]m/iy, 'dayPeriod'],
  a: [/[ap]m/iy, 'dayPeriod'],
  ww: [twoDigits, 'week'],
  WW: [twoDigits, 'week'],
  w: [oneOrTwoDigits, 'week'],
  W: [oneOrTwoDigits, 'week'],
}
const formatParts =
  /\[([^\][]*)\]|YYYY|gggg|GGGG|YY|MMMM|MMM|MM|Mo|M|DD|Do|D|dddd|ddd|dd|d|HH|hh|H|h|mm|ss|A|a|ww|WW|w|W|[\s\S]/g

/** Reads a text in a format of moment.js, which Obsidian's daily notes use. */
export function readFormattedDate(text: string, format: string): WrittenDate | undefined {
  const fields: Record<string, string> = {}
  let position = 0
  for (const [part, literal] of format.slice(0, 200).matchAll(formatParts)) {
    const [pattern, field] = literal === undefined ? (formatTokens[part] ?? []) : []
    if (!pattern) {
      const expected = literal ?? part
      const actual = text.slice(position, position + expected.length)
      if (actual.toLowerCase() !== expected.toLowerCase()) return undefined
      position += expected.length
      continue
    }
    pattern.lastIndex = position
    const value = pattern.exec(text)?.[0]
    if (value === undefined) return undefined
    position += value.length
    if (field) fields[field] ??= value
  }
  if (position !== text.length) return undefined
  return assembleDate(fields)
}

/** Undefined for a name that means different months in two languages. */
function findMonth(name: string): number | undefined {
  const [month, another] = new Set(
    (getDateNames().months.get(toWords(name).at(-1) ?? '') ?? []).map((monthName) => monthName.month),
  )
  return another === undefined ? month : undefined
}

function assembleDate({ year = '', month, day, hour, minute = '00', dayPeriod = '', week }: Record<string, string>) {
  const fullYear = year.length === 2 ? `20${year}` : year
  const monthNumber = month === undefined ? undefined : (findMonth(month) ?? month)
  const date =
    monthNumber === undefined && week !== undefined
      ? getMonday(Number(fullYear), Number(week))
      : toDay(fullYear, String(monthNumber ?? '').replace(/\D/g, ''), (day ?? '1').replace(/\D/g, ''))
  if (date === undefined) return undefined
  const hours = dayPeriod === '' ? Number(hour) : (Number(hour) % 12) + (/p/i.test(dayPeriod) ? 12 : 0)
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
