import { expect, test } from 'vitest'
import { getText } from './day-one-format.ts'

const entry = { uuid: 'A', creationDate: '2020-01-02T03:04:05Z' }

test('an entry keeps its text and loses only the references to its pictures', () => {
  const text =
    '![](dayone-moment://0F3A)\nRain on the roof.\n![a boat](dayone-moment:/video/0F3A)\n![kept](https://sea.example/boat.png)'
  expect(getText({ ...entry, text })).toBe('Rain on the roof.\n![kept](https://sea.example/boat.png)')
})

test('an unterminated reference is text, however often it starts', () => {
  const text = '![](dayone-moment:'.repeat(20_000)
  expect(getText({ ...entry, text })).toBe(text)
})
