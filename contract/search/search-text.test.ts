import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPlainText } from '../plain-text.ts'
import { normalizeSearchText, normalizeWithPositions } from './normalize-search-text.ts'
import { createSearchExcerpt, findSearchMarks } from './search-excerpt.ts'
import { matchesSearchQuery, parseSearchQuery } from './search-query.ts'

/** Stored texts, each with queries that find it. */
const pairs: [stored: string, ...queries: string[]][] = [
  ['We don’t go there, O’Neil’s.', "don't", "O'Neil", 'don´t', 'don`t', "O'NEIL'S"],
  ["She couldn't sail.", 'couldn’t'],
  ['Un café à Zürich avec Exupéry.', 'cafe', 'Zurich', 'Exupery', 'CAFE\u0301', 'exupe\u0301ry', 'cafè'],
  ['A resume in the drawer.', 'résumé', 're\u0301sume\u0301'],
  ['The green harbour light went out.', '"harbour light"', '“harbour light”', '„harbour light“', '«harbour light»'],
  ['My e‑reader and the co\u00ADoperative, a self–made one.', 'e-reader', 'cooperative', 'self-made', 'self—made'],
  ['Die Straße war leer.', 'strasse', 'STRASSE', 'straße', 'STRAẞE'],
  ['Ο δρόμος προς τη θάλασσα', 'δρομος', 'ΔΡΟΜΟΣ', 'δρόμοσ'],
  ['Gro\u0308ße.txt', 'größe', 'grosse', 'GRÖSSE'],
  ['Die Besta\u0308tigung kam.', 'Bestätigung', 'bestatigung'],
  ['I know a café.', 'café know', 'know cafe'],
  ['Ночью ёж пил чай', 'еж', 'чаи', 'ЁЖ'],
  ['Łódź, Øresund, Đà Nẵng, Þór', 'lodz', 'oresund', 'da nang', 'thor'],
  ['İstanbul ve ışık', 'istanbul', 'isik', 'IŞIK'],
  ['ﬁne œuvre, Ægir', 'fine', 'oeuvre', 'aegir'],
  ['כָּתַב מַכְתָּב', 'כתב', 'מכתב'],
  ['كَتَبَ إلى أحمد مـــرحبا', 'كتب', 'الى', 'احمد', 'مرحبا'],
  ['می\u200cخواهم کتاب', 'میخواهم', 'كتاب'],
  ['سال ۱۴۰۲', '1402', '١٤٠٢'],
  ['क़लम', 'कलम'],
  ['東京の海はきれい', '海', '東京', '“海は”'],
  ['ガラスとパン', 'がらす', 'ﾊﾟﾝ'],
  ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full width', '"full width"'],
  ['한국어 공부', '한국어', '한'],
  ['วันนี้ฉันไปทะเล', 'ทะเล', 'วันนี้'],
  ['I ❤️ the 👩🏽‍🚀', '❤', '👩'],
  ['A 50% discount on file_name', '50%', '%', '_', 'file_name', 'le_na'],
  ['5" pipe, ’tis done', '5"', '"', "'tis", 'tis'],
  ['the\n  green\u00a0light', '"the green light"', 'green light'],
  ['A reunião, ação', 'reuniao', 'acao', 'REUNIAO'],
  ['RMŽ účel', 'rmz', 'RMŽ', 'ucel', 'účel'],
  ['project_log\n\n579cc blagh', '579', '579cc'],
  ['即适者生存，生存等于正确的道理', '适者生存', '生存'],
  ['步2 重跑gen-itgc后50条', 'gen', 'itgc', '重跑gen'],
  ['文件目录', '目录 文件'],
  ['İNŞAAT Işık İSPANYA', 'inş', 'ışık', 'isp', 'IŞIK'],
  ['الدوري', 'الدورى'],
  ['ڭوڭ، خانە', 'كوك', 'خانه'],
  ['economi**c** news', 'economic'],
  ['harbour', 'arbo', 'a', 'ou', 'HARBOUR'],
  ['½ litre², wait…', '1/2', 'litre2', 'wait...'],
  ['minus −5 degrees', '-5'],
]
const misses: [stored: string, query: string][] = [
  ['The light in the harbour', '"harbour light"'],
  ['green harbour', 'harbour -green'],
  ['かき', 'がき'],
  ['かな', 'なか'],
  ['검은 색', '검색'],
  ['ดี', 'ดู'],
  ['harbour', 'harbor'],
]

describe('searchable text', () => {
  it.each(pairs)('%s is found by every way to type it', (stored, ...queries) => {
    const text = normalizeSearchText(toPlainText(stored))
    for (const query of queries) expect(matchesSearchQuery(text, parseSearchQuery(query)), query).toBe(true)
  })

  it.each(misses)('%s is not found by %s', (stored, query) => {
    expect(matchesSearchQuery(normalizeSearchText(stored), parseSearchQuery(query))).toBe(false)
  })

  it('normalizes the same with and without positions, and twice like once', () => {
    const characters = [...pairs.flat().join(''), '\n', '\t', '  ', '\u0301', 'ΐ', '﷽', 'Å', '\u200d', 'ſ']
    const texts = fc.array(fc.constantFrom(...characters), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const normalized = normalizeSearchText(text)
        expect(normalizeSearchText(normalized)).toBe(normalized)
        const { text: withPositions, starts } = normalizeWithPositions(text)
        expect(withPositions).toBe(normalized)
        expect(starts.length).toBe(normalized.length + 1)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a query', () => {
  it('is words, phrases and exclusions', () => {
    expect(parseSearchQuery('Per “green light” -ferry -"late bus" -')).toEqual({
      required: ['per', 'green light', '-'],
      excluded: ['ferry', 'late bus'],
    })
  })

  it('exclusions alone are searched like ordinary words', () => {
    expect(parseSearchQuery('-5')).toEqual({ required: ['5'], excluded: [] })
    expect(parseSearchQuery(' " ')).toEqual({ required: ['"'], excluded: [] })
    expect(parseSearchQuery('')).toEqual({ required: [], excluded: [] })
  })

  it('has at most twelve terms', () => {
    const many = Array.from({ length: 50 }, (_, index) => `w${index}`).join(' ')
    expect(parseSearchQuery(many).required).toHaveLength(12)
  })
})

describe('an excerpt', () => {
  const getMarked = (text: string, query: string) => {
    const { excerpt, marks } = createSearchExcerpt(text, parseSearchQuery(query).required) ?? { excerpt: '', marks: [] }
    return marks.map(([from, to]) => excerpt.slice(from, to))
  }

  it('marks matches in the original spelling', () => {
    expect(getMarked('Un cafe\u0301 à Zürich.', 'café zurich')).toEqual(['cafe\u0301', 'Zürich'])
    expect(getMarked('Die Straße war leer.', 'strasse')).toEqual(['Straße'])
    expect(getMarked('The co\u00ADoperative', 'cooperative')).toEqual(['co\u00ADoperative'])
    expect(getMarked('We don’t   go', '"don\'t go"')).toEqual(['don’t   go'])
    expect(getMarked('東京の海はきれい', '海')).toEqual(['海'])
    expect(getMarked('ﬁne', 'fi')).toEqual(['ﬁ'])
    expect(getMarked('👩🏽‍🚀 up', 'up')).toEqual(['up'])
  })

  it('is cut around a match far inside, between words', () => {
    const text = `${'before it '.repeat(3000)}the Zürich ferry ${'after it '.repeat(3000)}`
    const result = createSearchExcerpt(text, ['zurich'])
    expect(result?.excerpt).toMatch(/^…it before .*the Zürich ferry after it .*…$/)
    expect(result?.excerpt.length).toBeLessThan(300)
    expect(getMarked(text, 'zurich')).toEqual(['Zürich'])
  })

  it('does not cut characters of scripts without spaces', () => {
    const result = createSearchExcerpt(`${'𠮷海'.repeat(500)}鶴${'𠮷海'.repeat(500)}`, ['鶴'])
    expect(result?.excerpt.isWellFormed()).toBe(true)
    expect(result?.marks).toHaveLength(1)
  })

  it('merges marks that overlap', () => {
    expect(findSearchMarks('harbour', ['harb', 'arbour'])).toEqual([[0, 7]])
  })
})
