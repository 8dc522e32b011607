import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { shippedThemeSlugs, themeKeys } from '#contract/themes/theme-keys.ts'
import { buildThemesCss, type TokenTheme } from '../../build/write-themes-css.ts'
import { builtInThemes, formatHsl, hexToHsl, toThemeVariables } from './theme-colors.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const tokens = JSON.parse(read('../../../contract/themes/tokens.json')) as {
  themes: TokenTheme[]
  coreKeys: string[]
  semanticKeys: string[]
}

describe('tokens and stylesheet', () => {
  test('themes.css matches tokens.json (or run node web/build/write-themes-css.ts)', () => {
    expect(read('./themes.css')).toBe(buildThemesCss(tokens.themes))
  })

  test('every theme has the 19 colors and the semantic ones, in light and dark', () => {
    expect(tokens.coreKeys).toEqual(themeKeys)
    for (const theme of tokens.themes) {
      for (const mode of [theme.light, theme.dark]) {
        const { semantic, ...core } = mode
        expect(Object.keys(core)).toEqual(tokens.coreKeys)
        expect(Object.keys(semantic)).toEqual(tokens.semanticKeys)
      }
    }
  })

  test('the built-in theme names match the tokens', () => {
    expect(builtInThemes.map(({ slug }) => slug)).toEqual(shippedThemeSlugs)
    expect(builtInThemes).toEqual(tokens.themes.map(({ slug, name }) => ({ slug, name })))
  })

  test('every color has a Tailwind name', () => {
    const names = read('./names.css')
    const variables = read('./themes.css').match(/--k-[a-z0-9-]+/g) ?? []
    for (const variable of new Set(variables)) expect(names).toContain(`: var(${variable});`)
  })
})

describe('hex to hue, saturation and lightness', () => {
  test.each([
    ['#ffffff', 'hsl(0 0% 100%)'],
    ['#000000', 'hsl(0 0% 0%)'],
    ['#ff0000', 'hsl(0 100% 50%)'],
    ['#00ff00', 'hsl(120 100% 50%)'],
    ['#0000ff', 'hsl(240 100% 50%)'],
    ['#334155', 'hsl(215.3 25% 26.7%)'],
    ['F00', 'hsl(0 100% 50%)'],
    ['#ff0001', 'hsl(359.8 100% 50%)'],
  ])('%s is %s', (hex, text) => {
    const hsl = hexToHsl(hex)
    expect(hsl && formatHsl(hsl)).toBe(text)
  })

  test.each(['', 'red', '#12345', '#gggggg', 'url(//evil)', '#fff;background:red'])('%j is not a color', (text) => {
    expect(hexToHsl(text)).toBeUndefined()
  })

  test('every color of every theme converts back within one step of 255', () => {
    const hexes = tokens.themes.flatMap(({ light, dark }) =>
      [light, dark].flatMap(({ semantic, ...core }) => [...Object.values(core as object), ...Object.values(semantic)]),
    ) as string[]
    for (const hex of hexes) {
      const { hue, saturation, lightness } = hexToHsl(hex) ?? { hue: 0, saturation: 0, lightness: 0 }
      const convertedRgb = toRgb(hue, saturation / 100, lightness / 100)
      const originalRgb = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
      for (const at of [0, 1, 2])
        expect(Math.abs((convertedRgb[at] ?? 0) - (originalRgb[at] ?? 0)), hex).toBeLessThanOrEqual(1)
    }
  })
})

describe('a theme from the server', () => {
  test('sets its own colors, which pigment and ribbon follow', () => {
    expect(toThemeVariables({ primary: '#ff0000', ring: '#0000ff', mutedForeground: '#000' }, null)).toEqual({
      '--k-primary': 'hsl(0 100% 50%)',
      '--k-ring': 'hsl(240 100% 50%)',
      '--k-muted-foreground': 'hsl(0 0% 0%)',
      '--k-chart1': 'hsl(0 100% 50%)',
      '--k-ribbon': 'hsl(240 100% 50%)',
    })
  })

  test('cannot set anything but colors', () => {
    expect(toThemeVariables({ background: 'url(//evil)', foreground: undefined }, null)).toEqual({})
  })

  test('takes pigment and ribbon from its base theme', () => {
    expect(toThemeVariables({ primary: '#ff0000', ring: '#0000ff' }, 'forest-deep')).toEqual({
      '--k-primary': 'hsl(0 100% 50%)',
      '--k-ring': 'hsl(240 100% 50%)',
    })
  })
})

function toRgb(hue: number, saturation: number, lightness: number): number[] {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
  })
}
