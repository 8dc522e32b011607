import { expect, it } from 'vitest'
import { findDateInName, readFormattedDate, readWrittenDate, readWrittenDay } from './text-dates.ts'

const languages =
  'en-US en-GB en-AU de de-AT fr fr-CA es es-MX it pt pt-BR nl sv da nb fi pl cs sk hu ro hr sl bg ru uk el tr ca id ms vi th ar he hi lt lv et ja zh-CN zh-TW ko'.split(
    ' ',
  )

it.each(languages)('every day of a year is read from its words in %s', (language) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC', calendar: 'gregory' })
  const days = Array.from({ length: 366 }, (_, at) => new Date(Date.UTC(2024, 0, 1 + at)))
  const wrong = days.filter((day) => {
    const readings = [readWrittenDay(format.format(day)), readWrittenDate(format.format(day))?.day]
    return readings.some((reading) => reading !== day.toISOString().slice(0, 10))
  })
  expect(wrong.map((day) => format.format(day))).toEqual([])
})

it.each([
  ['Sunday, November 3rd, 2024', '2024-11-03'],
  ['SUNDAY, 3 NOV. 2024', '2024-11-03'],
  ['Dimanche 1er décembre 2024', '2024-12-01'],
  ['13/11/2024', '2024-11-13'],
  ['2024-11-03', '2024-11-03'],
  ['03.11.2024', '2024-11-03'],
  ['3 fevrier 2024', '2024-02-03'],
  ['1 listopada 2024', '2024-11-01'],
  ['1. listopada 2024', '2024-10-01'],
  ['Sunday, 3/11/2024', '2024-11-03'],
  ['３ November ２０２４', '2024-11-03'],
  ['วันอาทิตย์ที่ 3 พฤศจิกายน พ.ศ. 2567', '2024-11-03'],
])('%j is %s', (text, day) => {
  expect(readWrittenDay(text)).toBe(day)
})

it.each(['', '2024', 'November 2024', '31 February 2024', '3/11/2024', '03.11.24', '99999', 'Someday, 45 Foo 2024'])(
  '%j is no certain day',
  (text) => expect(readWrittenDay(text)).toBeUndefined(),
)

it('a day nearby decides between two meanings', () => {
  expect(readWrittenDay('3/11/2024', '2024-11-04')).toBe('2024-11-03')
  expect(readWrittenDay('3/11/2024', '2024-03-10')).toBe('2024-03-11')
  expect(readWrittenDay('1 listopada 2024', '2024-11-01')).toBe('2024-11-01')
})

it.each([
  ['3. November 2024 07:15 → 08:00', { day: '2024-11-03', time: '07:15' }],
  ['November 3, 2024 7:15 PM', { day: '2024-11-03', time: '19:15' }],
  ['2024-11-03T07:15:00+02:00', { day: '2024-11-03', time: '07:15:00', offset: '+02:00' }],
  ['2024年11月3日(日) 7:15', { day: '2024-11-03', time: '07:15' }],
  ['2024-11-03 (Sun)', { day: '2024-11-03' }],
  ['20241103', { day: '2024-11-03' }],
])('the whole text %j is %j', (text, date) => expect(readWrittenDate(text)).toEqual(date))

it.each(['Version 3 May 2024', '3 May 2024 & more', '3 May 2024 5', '1990s 3 May', '2024-11-03 At sea', 'Trip 2024'])(
  '%j has other words than a date',
  (text) => expect(readWrittenDate(text)).toBeUndefined(),
)

it('names and formats lead to the same days', () => {
  expect(findDateInName('Sonntag, 3. November 2024')).toEqual({ day: '2024-11-03' })
  expect(findDateInName('2024-11-03 0715 At sea')).toEqual({ day: '2024-11-03', time: '07:15' })
  expect(readFormattedDate('3. Maerz 2024', 'D. MMMM YYYY')).toBeUndefined()
  expect(readFormattedDate('3. März 2024', 'D. MMMM YYYY')).toEqual({ day: '2024-03-03' })
})
