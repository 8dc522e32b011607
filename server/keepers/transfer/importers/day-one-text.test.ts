import { expect, test } from 'vitest'
import { cleanText } from './day-one.ts'

test('a text keeps pictures from elsewhere and loses placeholders', () => {
  const text =
    '![](dayone-moment://0F3A)\nRain on the roof.\n![a boat](dayone-moment:/video/0F3A)\n![kept](https://sea.example/boat.png)'
  expect(cleanText(text)).toBe('Rain on the roof.\n![kept](https://sea.example/boat.png)')
})

test('an unterminated placeholder is text, however often it starts', () => {
  const text = '![](dayone-moment:'.repeat(20_000)
  expect(cleanText(text)).toBe(text)
})
