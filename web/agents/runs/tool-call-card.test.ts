import { expect, it } from 'vitest'
import { showInvisible, showInvisibleDeep } from './tool-call-card.tsx'

const hide = (text: string) =>
  [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join('')

it.each(['Grandmother’s buttermilk, 2 cups\n\n\tand so on\r\n', 'family 👩‍❤️‍👨 and ❤️ stay', 'نامه‌ای stays'])(
  'ordinary text is unchanged: %s',
  (text) => {
    expect(showInvisible(text)).toBe(text)
  },
)

it.each([
  [`milk${hide('A')}`, 'milk[U+E0041]'],
  ['a\u202Eb', 'a[U+202E]b'],
  ['a\u200B\u200Bb', 'a[U+200B][U+200B]b'],
  ['a\u200C\u200D\u200C\u200Db', 'a[U+200C][U+200D][U+200C][U+200D]b'],
  ['a\u{E0100}b', 'a[U+E0100]b'],
  ['a\u0000b', 'a[U+0000]b'],
])('an invisible character is written out: %j', (text, visible) => {
  expect(showInvisible(text)).toBe(visible)
})

it('nested names and texts are written out, other values stay', () => {
  const value = { [`q${hide('B')}`]: [{ deep: `x${hide('C')}` }, 7, null, true] }
  expect(showInvisibleDeep(value)).toEqual({ 'q[U+E0042]': [{ deep: 'x[U+E0043]' }, 7, null, true] })
})
