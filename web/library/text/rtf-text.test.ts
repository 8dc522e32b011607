import { describe, expect, test } from 'vitest'
import { rtfToText } from './rtf-text.ts'

/** Characters below 256 stand for bytes. */
const read = (rtf: string) => rtfToText(Uint8Array.from(rtf, (character) => character.charCodeAt(0)))
const font = (charset: number, name = 'Arial') => `{\\fonttbl{\\f0\\fnil\\fcharset${charset} ${name};}}`

describe('paragraphs of Rich Text', () => {
  test.each(['\n', '\r', '\r\n'])('end with a backslash before %j', (end) => {
    const rtf = `{\\rtf1\\ansi\\ansicpg1252\\cocoartf2761${end}{\\fonttbl\\f0\\fswiss\\fcharset0 Helvetica;}${end}\\f0\\fs24 \\cf0 Alpha harbour\\${end}Beta beacon\\${end}\\${end}Gamma gull}`
    expect(read(rtf)).toBe('Alpha harbour\nBeta beacon\n\nGamma gull')
  })
})

describe('letters of Rich Text', () => {
  test.each([
    ['a Cyrillic font', `{\\rtf1\\ansi\\ansicpg1251\\deff0${font(204)}\\f0 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2}`, 'Привет'],
    [
      'a Polish font',
      `{\\rtf1\\ansi\\ansicpg1250\\deff0${font(238)}\\f0 Za\\'bf\\'f3\\'b3\\'e6 g\\'ea\\'9cl\\'b9}`,
      'Zażółć gęślą',
    ],
    ['a font unlike its file', `{\\rtf1\\ansi\\ansicpg1252\\deff0${font(204)}\\'cf\\'f0}`, 'Пр'],
    ['no font', "{\\rtf1\\ansi\\ansicpg1253 \\'e1\\'e2}", 'αβ'],
    ['a Western font in a Cyrillic file', `{\\rtf1\\ansi\\ansicpg1251${font(0)}\\f0 \\'cf\\'f0\\'e8}`, 'При'],
    ['French in a Cyrillic file', `{\\rtf1\\ansi\\ansicpg1251${font(0)}\\f0 caf\\'e9}`, 'café'],
    ['Shift_JIS', `{\\rtf1\\ansi\\ansicpg932${font(128)}\\f0 \\'93\\'fa\\'96\\'7b \\'83\\'5c\\'83\\'56}`, '日本 ソシ'],
    ['Shift_JIS over a line end', `{\\rtf1\\ansi\\ansicpg932${font(128)}\\f0 \\'93\n\\'fa\\'96\r\n{\\'7b}}`, '日本'],
    [
      'Shift_JIS with plain second bytes',
      `{\\rtf1\\ansi\\ansicpg932${font(128)}\\f0 \\'83A\\'83\\\\\\'83\\}}`,
      'アソマ',
    ],
    [
      'Shift_JIS in raw bytes',
      `{\\rtf1\\ansi\\ansicpg932${font(128)}\\f0 \x83\x5c\x83\x7d\x83\x41\\par \xb1\\par}`,
      'ソマア\nｱ\n',
    ],
    [
      'Shift_JIS under a Western font',
      `{\\rtf1\\ansi\\ansicpg932${font(0)}\\f0{\\f0\\'a0}\\'82\\'a0\\'82\\'a0}`,
      '\u00a0ああ',
    ],
    ['Shift_JIS with characters of NEC', `{\\rtf1\\ansi\\ansicpg932${font(128)}\\f0\\'87\\'40\\'87\\'6f}`, '①㎜'],
    ['GBK', `{\\rtf1\\ansi\\ansicpg936${font(134)}\\f0\\'d6\\'d0\\'ce\\'c4}`, '中文'],
    ['Big5', `{\\rtf1\\ansi\\ansicpg950${font(136)}\\f0\\'a4\\'a4\\'a4\\'e5}`, '中文'],
    ['Korean', `{\\rtf1\\ansi\\ansicpg949${font(129)}\\f0\\'c7\\'d1\\'b1\\'db}`, '한글'],
    ['UTF-8', "{\\rtf1\\ansi\\ansicpg65001 \\'c5\\'81\\'c3\\'b3d\\'c5\\'ba}", 'Łódź'],
    ['Mac', "{\\rtf1\\mac caf\\'8e}", 'café'],
    ['Mac, Cyrillic', `{\\rtf1\\mac\\ansicpg10000${font(89)}\\f0\\'8f\\'f0}`, 'Пр'],
    ['Mac, Greek', `{\\rtf1\\mac${font(85)}\\f0\\'e1}`, 'α'],
    ['DOS', "{\\rtf1\\pc caf\\'82}", 'café'],
    ['DOS, Western Europe', "{\\rtf1\\pca \\'9d}", 'Ø'],
    ['DOS, Central Europe', "{\\rtf1\\ansi\\ansicpg852 Za\\'be}", 'Zaż'],
    ['Thai', `{\\rtf1\\ansi\\ansicpg874${font(222)}\\f0\\'a1\\'d2}`, 'กา'],
    ['Hebrew', `{\\rtf1\\ansi\\ansicpg1255${font(177)}\\f0\\'f9\\'ec}`, 'של'],
    ['Arabic', `{\\rtf1\\ansi\\ansicpg1256${font(178)}\\f0\\'e3\\'d1}`, 'مر'],
    ['Turkish', `{\\rtf1\\ansi\\ansicpg1254${font(162)}\\f0\\'fe\\'fd}`, 'şı'],
    ['Baltic', `{\\rtf1\\ansi${font(186)}\\f0\\'f0}`, 'š'],
    ['a code page of the font', "{\\rtf1\\ansi{\\fonttbl{\\f3\\cpg1251 Arial;}}\\f3\\'cf}", 'П'],
    ['an unknown code page', "{\\rtf1\\ansi\\ansicpg9999 caf\\'e9}", 'café'],
  ])('letters in %s are read', (_name, rtf, text) => expect(read(rtf)).toBe(text))

  test('follow the font of their group', () => {
    const fonts =
      '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial Cyr;}{\\f2\\fcharset238{\\*\\falt x}Arial CE;}}'
    expect(
      read(`{\\rtf1\\ansi\\ansicpg1252\\deff0${fonts}\\'e9{\\f1\\'e9{\\f2\\'ea}\\'e9}\\'e9\\f1 \\'e9\\plain\\'e9}`),
    ).toBe('éйęйéйé')
  })
  test('numbered characters keep emoji and drop their placeholders', () => {
    expect(read('{\\rtf1\\ansi\\u-10179?\\u-8694?}')).toBe('😊')
    expect(read("{\\rtf1\\ansi\\ansicpg932\\uc2 \\u26085\\'93\\'fa\\u26412\\'96\\'7b.}")).toBe('日本.')
    expect(read('{\\rtf1\\ansi\\uc1\\u26085\\u26412 ?}')).toBe('日本')
  })
  test('can be UTF-8 without any declaration, or UTF-16', () => {
    expect(rtfToText(new TextEncoder().encode('{\\rtf1\\ansi Łódź 😀\\par}'))).toBe('Łódź 😀\n')
    expect(read('\xff\xfe{\0\\\0r\0t\0f\x001\0 \0A\0}\0')).toBe('A')
  })
})
