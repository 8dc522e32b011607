import { expect, it } from 'vitest'
import { readWrittenDay } from './written-day.ts'

const languages =
  'en-US en-GB en-AU de de-AT fr fr-CA es es-MX it pt pt-BR nl sv da nb fi pl cs sk hu ro hr sl bg ru uk el tr ca id ms vi th ar he hi lt lv et ja zh-CN zh-TW ko'.split(
    ' ',
  )

it.each(languages)('every day of a year is read from its words in %s', (language) => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC', calendar: 'gregory' })
  const days = Array.from({ length: 366 }, (_, at) => new Date(Date.UTC(2024, 0, 1 + at)))
  const wrong = days.filter((day) => readWrittenDay(format.format(day)) !== day.toISOString().slice(0, 10))
  expect(wrong.map((day) => format.format(day))).toEqual([])
})

it.each([
  ['Sunday, November 3rd, 2024', '2024-11-03'],
  ['SUNDAY, 3 NOV. 2024', '2024-11-03'],
  ['Dimanche 1er décembre 2024', '2024-12-01'],
  ['13/11/2024', '2024-11-13'],
  ['2024-11-03', '2024-11-03'],
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
