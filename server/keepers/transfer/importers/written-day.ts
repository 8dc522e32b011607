const languages =
  'en en-AU de de-AT fr fr-CA es it pt pt-PT nl sv da nb fi is pl cs sk hu ro hr sr sl bg ru uk el tr ca gl id ms vi th ar he hi fa lt lv et ja zh zh-TW ko'.split(
    ' ',
  )
const maxLength = 100
const dayMs = 24 * 60 * 60 * 1000

interface DateWords {
  /** Numbers from 1; a word can be the name of different months, such as “listopada” in Polish and Croatian. */
  months: Map<string, Set<number>>
  /** 0 is Sunday. */
  weekdays: Map<string, Set<number>>
  digits: Map<string, string>
}

let dateWords: DateWords | undefined

/** Names as people write them, from the data of the platform; built on first use. */
function getDateWords(): DateWords {
  if (dateWords) return dateWords
  const words: DateWords = { months: new Map(), weekdays: new Map(), digits: new Map() }
  const add = (names: Map<string, Set<number>>, name: string, value: number) =>
    names.set(name, (names.get(name) ?? new Set()).add(value))
  for (const language of languages)
    for (const style of ['long', 'short'] as const) {
      const options = { timeZone: 'UTC', calendar: 'gregory', month: style } as const
      const formats = [
        new Intl.DateTimeFormat(language, options),
        new Intl.DateTimeFormat(language, { ...options, day: 'numeric', year: 'numeric' }),
      ]
      for (let month = 1; month <= 12; month += 1)
        for (const format of formats) {
          const part = format.formatToParts(Date.UTC(2024, month - 1, 4)).find(({ type }) => type === 'month')
          // The last word, without the “d’” of “d’abril”.
          const word = part && !/\p{N}/u.test(part.value) ? toWords(part.value).at(-1) : undefined
          if (word !== undefined && word.length > 1) add(words.months, word, month)
        }
    }
  for (const language of languages) {
    const format = new Intl.DateTimeFormat(language, { timeZone: 'UTC', weekday: 'long' })
    for (let day = 0; day < 7; day += 1) {
      add(words.weekdays, toWords(format.format(Date.UTC(2024, 0, 7 + day))).join(' '), day)
    }
  }
  for (const system of ['arab', 'arabext', 'deva', 'thai', 'fullwide']) {
    const format = new Intl.NumberFormat('en', { numberingSystem: system })
    for (let digit = 0; digit < 10; digit += 1) words.digits.set(format.format(digit), String(digit))
  }
  dateWords = words
  return words
}

function toWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? []
  )
}

/** The day of a date in words or numbers, in many languages and orders, such as “Sunday, 3 November 2024”.
 * Undefined when it is none, or has two meanings of which neither its weekday nor `near` decides.
 * @param near a day such as 2024-11-03 that is at most one day off */
export function readWrittenDay(text: string, near?: string): string | undefined {
  const { months, weekdays, digits } = getDateWords()
  const line = Array.from(text.slice(0, maxLength).normalize('NFKC').toLowerCase(), (sign) => digits.get(sign) ?? sign)
  const numbers = Array.from(line.join('').matchAll(/\d+/g), ([number]) => ({
    value: Number(number),
    length: number.length,
  }))
  const yearIndex = numbers.findIndex(({ length }) => length === 4)
  if (yearIndex < 0) return undefined
  const year = toGregorianYear(numbers[yearIndex]?.value ?? 0)
  const others = numbers.filter((_, index) => index !== yearIndex).map(({ value }) => value)
  const words = toWords(text.slice(0, maxLength))
  const named = words.flatMap((word) => [...(months.get(word) ?? months.get(word.replace(/^ב/u, '')) ?? [])])
  const [first = 0, second = 0] = others
  const days =
    named.length > 0
      ? named.map((month) => formatDay(year, month, first))
      : yearIndex === 0
        ? [formatDay(year, first, second)]
        : words.includes('tháng')
          ? [formatDay(year, second, first)]
          : [formatDay(year, second, first), formatDay(year, first, second)]
  const weekday = findWeekday(words, weekdays)
  const possible = [...new Set(days.filter((day) => day !== undefined))]
  const fitting = possible.filter((day) => weekday?.has(new Date(day).getUTCDay()) ?? true)
  const rest = fitting.length > 0 ? fitting : possible
  return rest.length < 2 ? rest[0] : rest.find((day) => near !== undefined && isNear(day, near))
}

export function isNear(day: string, other: string): boolean {
  return Math.abs(Date.parse(day) - Date.parse(other)) <= dayMs
}

/** The calendar of Thailand counts 543 more years. */
const toGregorianYear = (year: number) => (year > 2400 && year < 2700 ? year - 543 : year)

function findWeekday(words: readonly string[], weekdays: DateWords['weekdays']): Set<number> | undefined {
  const text = ` ${words.join(' ')} `
  for (const [name, days] of weekdays) if (text.includes(` ${name} `)) return days
  return undefined
}

function formatDay(year: number, month: number, day: number): string | undefined {
  const text = [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-')
  const at = Date.parse(text)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : text
}
