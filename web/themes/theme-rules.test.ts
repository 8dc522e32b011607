import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shippedThemeSlugs, themeKeys } from '#contract/themes/theme-keys.ts'
import tokens from '#contract/themes/tokens.json' with { type: 'json' }
import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'
import {
  contrastPairs,
  findLowest,
  findLowestTextRatio,
  findReadableColor,
  fixAllKeys,
  formatRatio,
  measureContrast,
} from './contrast.ts'
import { createThemeFile, readThemeFile } from './theme-file.ts'
import { getKeyLabel } from './theme-values.ts'
import { createHistory, pushChange, redoChange, undoChange } from './use-theme-editing.ts'

const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)
const toColors = ({ semantic, ...core }: (typeof tokens)['themes'][number]['light']) => {
  const entries = Object.entries({ ...core, ...semantic }).map(([key, value]) => [key, value.toLowerCase()])
  return Object.fromEntries(entries) as Record<string, string>
}
const [classic] = tokens.themes.map(({ light, dark }) => ({ light: toColors(light), dark: toColors(dark) }))
if (!classic) throw new Error('There is no theme.')

describe('contrast', () => {
  test.each([
    ['#000000', '#ffffff', '21.0'],
    ['#777777', '#ffffff', '4.4'],
    ['#949494', '#ffffff', '3.0'],
    ['#959595', '#ffffff', '2.9'],
    ['#767676', '#ffffff', '4.5'],
    ['#0000ff', '#ffffff', '8.6'],
    ['#abcdef', '#abcdef', '1.0'],
  ])('%s on %s is %s in either order', (one, other, ratio) => {
    expect(formatRatio(getContrastRatio(one, other))).toBe(ratio)
    expect(getContrastRatio(other, one)).toBe(getContrastRatio(one, other))
  })

  test('every built-in theme passes with the measured minimum contrast', () => {
    const measured = tokens.themes.map(({ slug, light, dark }) => {
      for (const mode of [light, dark])
        expect(measureContrast(toColors(mode)).filter(({ passes }) => !passes)).toEqual([])
      const [lowestLight, lowestDark] = [light, dark].map((mode) => findLowestTextRatio(toColors(mode)).toFixed(2))
      return { slug, lowestLight, lowestDark }
    })
    expect(measured).toEqual([
      { slug: 'keeper-classic', lowestLight: '4.80', lowestDark: '5.50' },
      { slug: 'forest-deep', lowestLight: '4.88', lowestDark: '5.62' },
      { slug: 'ocean-calm', lowestLight: '4.93', lowestDark: '5.42' },
      { slug: 'sunset-warm', lowestLight: '5.08', lowestDark: '5.82' },
      { slug: 'midnight-elegant', lowestLight: '4.96', lowestDark: '5.79' },
    ])
  })

  test('no pair is listed twice, and the lowest is furthest below its minimum', () => {
    expect(new Set(contrastPairs.map(({ foreground, background }) => `${foreground} ${background}`)).size).toBe(
      contrastPairs.length,
    )
    const worst = findLowest(measureContrast({ ...classic.light, ring: classic.light.background ?? '' }))
    expect({ foreground: worst?.foreground, background: worst?.background, passes: worst?.passes }).toEqual({
      foreground: 'ring',
      background: 'background',
      passes: false,
    })
  })
})

test('every measured color has a unique human-readable label', () => {
  const keys = [
    ...new Set([...themeKeys, ...contrastPairs.flatMap(({ foreground, background }) => [foreground, background])]),
  ]
  const names = keys.map(getKeyLabel)
  expect(new Set(names).size).toBe(keys.length)
  for (const [index, name] of names.entries()) expect(name).not.toBe(keys[index])
})

describe('fixing', () => {
  const backgroundLists = fc.array(fc.record({ hex: color, minRatio: fc.constantFrom(4.5 as const, 3 as const) }), {
    minLength: 1,
    maxLength: 4,
  })

  test('a fixed color passes on all backgrounds, and a passing one stays', () => {
    fc.assert(
      fc.property(color, backgroundLists, (foreground, backgrounds) => {
        const fixed = findReadableColor(foreground, backgrounds)
        const passes = (hex: string) =>
          backgrounds.every((background) => getContrastRatio(hex, background.hex) >= background.minRatio)
        if (passes(foreground)) expect(fixed).toBe(foreground)
        else if (fixed !== undefined) expect(passes(fixed)).toBe(true)
        // White and black belong to every hue: if either passes, there is a fix.
        else
          expect({ '#ffffff': passes('#ffffff'), '#000000': passes('#000000') }).toEqual({
            '#ffffff': false,
            '#000000': false,
          })
      }),
    )
  })

  test('a single background always has a fix, with the smallest change', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 255 }), color, (gray, background) => {
        const hex = (value: number) => `#${value.toString(16).padStart(2, '0').repeat(3)}`
        const fixed = findReadableColor(hex(gray), [{ hex: background, minRatio: 4.5 }])
        expect(fixed).toBeDefined()
        const moved = Math.abs(Number.parseInt((fixed ?? '').slice(1, 3), 16) - gray)
        for (let nearer = 0; nearer < moved - 1; nearer++)
          for (const value of [gray - nearer, gray + nearer].filter((level) => level >= 0 && level <= 255))
            expect(getContrastRatio(hex(value), background)).toBeLessThan(4.5)
      }),
    )
  })

  test('keeps the hue', () => {
    expect(findReadableColor('#8080ff', [{ hex: '#ffffff', minRatio: 4.5 }])).toMatch(/^#([0-9a-f]{2})\1ff$/)
  })

  test('after fixing all, only the reported colors still fail', () => {
    const colorTuples = fc.tuple(...themeKeys.map(() => color))
    fc.assert(
      fc.property(colorTuples, fc.constantFrom(classic.light, classic.dark), (drawn, base) => {
        const colors = { ...base, ...Object.fromEntries(themeKeys.map((key, index) => [key, drawn[index] ?? ''])) }
        const { changes, unfixable } = fixAllKeys(colors)
        const failing = measureContrast({ ...colors, ...changes }).filter(({ passes }) => !passes)
        const failingKeys = failing.filter(({ foreground }) => (themeKeys as readonly string[]).includes(foreground))
        for (const { foreground } of failingKeys) expect(unfixable).toContain(foreground)
      }),
      { numRuns: 30 },
    )
    expect(fixAllKeys(classic.light)).toEqual({ changes: {}, unfixable: [] })
    const { changes, unfixable } = fixAllKeys({
      ...classic.light,
      mutedForeground: '#bbbbbb',
      primaryForeground: '#2a3d58',
    })
    expect({ changes: Object.keys(changes).sort(), unfixable }).toEqual({
      changes: ['mutedForeground', 'primaryForeground'],
      unfixable: [],
    })
  })
})

describe('a theme file', () => {
  const colorSets = fc.tuple(...themeKeys.map(() => color)).map((drawn) => {
    return Object.fromEntries(themeKeys.map((key, index) => [key, drawn[index] ?? ''])) as Record<
      (typeof themeKeys)[number],
      string
    >
  })
  const validTheme = { name: 'Fog', note: '', light: classic.light, dark: classic.dark }

  test('survives export and import unchanged', async () => {
    const text = fc.string({ minLength: 1, maxLength: 50 }).filter((name) => name.trim() === name && name !== '')
    await fc.assert(
      fc.asyncProperty(
        text,
        colorSets,
        colorSets,
        fc.constantFrom(...shippedThemeSlugs, null),
        async (name, light, dark, basis) => {
          const theme = { name, note: 'Grey.', light, dark, basis }
          expect(readThemeFile(await createThemeFile(theme).text())).toEqual({ theme })
        },
      ),
      { numRuns: 25 },
    )
  })

  test('keeps only the 19 keys, as 6-digit lowercase hex', () => {
    const read = readThemeFile(
      JSON.stringify({ ...validTheme, light: { ...validTheme.light, primary: '#ABC' }, evil: true }),
    )
    if ('problems' in read) throw new Error(read.problems.join())
    expect(Object.keys(read.theme.light)).toEqual([...themeKeys])
    expect(read.theme.light.primary).toBe('#aabbcc')
    expect(Object.keys(read.theme)).toEqual(['name', 'note', 'basis', 'light', 'dark'])
    // Files of older versions have no basis.
    expect(read.theme.basis).toBeNull()
  })

  test('reports every invalid color with its mode', () => {
    const { ring: _, ...dark } = validTheme.dark
    const wrong = { ...validTheme, basis: 'url(//evil)', name: ' ', light: { ...validTheme.light, muted: 'red' }, dark }
    expect(readThemeFile(JSON.stringify(wrong))).toEqual({
      problems: [
        'The theme has no name. Add it as "name".',
        'The light muted isn’t a color. Use a hex color like #2a3d58.',
        'The dark ring is missing. Use a hex color like #2a3d58.',
        expect.stringMatching(/^The theme’s base isn’t a built-in theme\. Set "basis" to one of keeper-classic, /),
      ],
    })
    expect(readThemeFile('\n')).toEqual({ problems: [expect.stringMatching(/is empty/)] })
    expect(readThemeFile('{')).toEqual({ problems: [expect.stringMatching(/isn’t valid JSON/)] })
    expect(readThemeFile(JSON.stringify({ name: 'Fog', light: validTheme.light }))).toEqual({
      problems: ['The dark colors are missing. Add them as "dark".'],
    })
  })

  test('reading never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readThemeFile(text)))
    fc.assert(fc.property(fc.jsonValue(), (value) => void readThemeFile(JSON.stringify(value))))
  })
})

describe('edit history', () => {
  test('undoes a dragged color in one step and two fields in two steps', () => {
    let history = createHistory('a')
    history = pushChange(history, 'b', 'light ring', 0)
    history = pushChange(history, 'c', 'light ring', 500)
    history = pushChange(history, 'd', 'dark ring', 600)
    expect(undoChange(history)?.present).toBe('c')
    const undone = undoChange(undoChange(history) ?? history)
    expect({ present: undone?.present, earlier: undone && undoChange(undone) }).toEqual({
      present: 'a',
      earlier: undefined,
    })
    expect(undone && redoChange(undone)?.present).toBe('c')
    expect(redoChange(history)).toBeUndefined()
    const slowHistory = pushChange(pushChange(createHistory('a'), 'b', 'ring', 0), 'c', 'ring', 900)
    expect(undoChange(slowHistory)?.present).toBe('b')
    expect(undoChange(history) && redoChange(pushChange(undoChange(history) ?? history, 'e', 'x', 700))).toBeUndefined()
  })
})
