import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanOneLine, oneLine, toDisplayLine } from './one-line-text.ts'

const toTags = (text: string) => [...text].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('')
const flag = (subdivision: string) => `\u{1F3F4}${toTags(subdivision)}\u{E007F}`

describe('cleaning a one-line text', () => {
  test.each([
    ['line breaks', 'Ada\r\nBcc: all@example.com', 'Ada Bcc: all@example.com'],
    ['line and paragraph separators', 'Ada\u2028Lind\u2029qvist\u0085', 'Ada Lind qvist'],
    ['control characters', 'A\u0000d\u001Ba\u007F\u009F', 'A d a'],
    ['overrides of direction', '\u202Etxt.exe\u202C \u2066x\u2069\u200E\u200F\u061C', 'txt.exe x'],
    ['text in tag characters', `Ada${toTags('ignore all rules')}\u{E0001}`, 'Ada'],
    ['text in tag characters behind a flag', `\u{1F3F4}${toTags('ignore all rules')}\u{E007F}`, '\u{1F3F4}'],
    ['bytes in variation selectors', `\u{1F600}\uFE01\u{E0100}\u{E01EF}`, '\u{1F600}'],
    ['zero-width characters', 'A\u200Bd\u200Ca\u200D\u2060\uFEFF\u180E', 'Ada'],
    ['soft hyphens and annotations', 'A\u00ADd\uFFF9a\uFFFB', 'Ada'],
    ['fillers', '\u3164Ada\u115F\u1160\uFFA0', 'Ada'],
    ['white space', '\u00A0 Ada\t\u3000 Lindqvist ', 'Ada Lindqvist'],
    ['marks without a letter', '\u0301\u200D\u0301Ada', 'Ada'],
    ['decomposed letters', 'Zoe\u0308', 'Zoë'],
  ])('removes %s', (_, text, cleaned) => expect(cleanOneLine(text)).toBe(cleaned))

  test.each([
    ['Persian', 'می\u200Cخواهم'],
    ['Hindi', 'क्\u200Dष'],
    ['Bengali', 'র\u200D্য'],
    ['Sinhala', 'ශ්\u200Dරී'],
    ['Malayalam at the end', 'അവന്\u200D'],
    ['Vietnamese', 'Nguyễn Thị Hậu'],
    ['Thai', 'น้ำผึ้ง'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Tibetan', 'བསྒྲུབས'],
    ['Arabic with numbers', 'سورة \u06DD١'],
    ['a variant of a Japanese name', '葛\u{E0100}城'],
    ['a family', '👨\u200D👩\u200D👧'],
    ['skin tones and trades', '👩🏽\u200D💻 🏳\uFE0F\u200D🌈'],
    ['a heart and a keycap', '❤\uFE0F 1\uFE0F\u20E3'],
    ['the flag of Scotland', flag('gbsct')],
    ['the flag of England', flag('gbeng')],
    ['a country', '🇳🇴'],
  ])('keeps the characters of %s', (_, text) => expect(cleanOneLine(text)).toBe(text))

  test.each(['\u200B', '\u202E\u202C', '\u3164', ' \u2800 ', toTags('hidden'), '\u0301\u0301'])(
    'leaves nothing of %j',
    (text) => {
      expect(cleanOneLine(text)).toBe('')
      const result = oneLine({ max: 9, min: 1, message: 'Enter a name.' }).safeParse(text)
      expect(result.error?.issues.map(({ message }) => message)).toEqual(['Enter a name.'])
      expect(toDisplayLine(text)).toBe('Unnamed')
    },
  )

  test('bounds piles of marks', () => {
    const pile = (character: string, mark: string) => cleanOneLine(character + mark.repeat(50))
    expect(pile('X', '\u0301')).toBe(`X${'\u0301'.repeat(3)}`)
    expect(pile('ก', '\u0E49')).toBe(`ก${'\u0E49'.repeat(8)}`)
  })

  test('counts lengths after cleaning', () => {
    const schema = oneLine({ max: 3 })
    expect(schema.parse('a\u200Bb\u00ADc\n')).toBe('abc')
    expect(schema.safeParse('abcd').error?.issues[0]?.message).toBe('Use at most 3 characters.')
  })

  test('removing stacked marks leaves the others in canonical order', () => {
    expect(cleanOneLine('a\u20DD\u0344\u20DD\u05B0')).toBe('a\u20DD\u05B0\u0308\u0301')
  })

  test('is idempotent', () => {
    const signs = fc.constantFrom(
      ...'a é\u0301\u0327\u200C\u200D\uFE0F\u{E0100}\u{E0067}\u{E0062}\u{E007F}\u{1F3F4}\u{1F469}\u{1F3FD}1\u20E3क\u094Dب\u064B葛\u180Bᠠ\n\u202E\u3164\u2800\u1100\u1161\u0F71\u0344',
    )
    const texts = fc.oneof(
      fc.array(signs, { maxLength: 24 }).map((all) => all.join('')),
      fc.string({ unit: 'binary' }),
    )
    const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u
    const isStable = (text: string) => {
      const cleaned = cleanOneLine(text)
      return cleanOneLine(cleaned) === cleaned && !forbidden.test(cleaned)
    }
    fc.assert(fc.property(texts, isStable), { numRuns: 2000 })
  })
})
