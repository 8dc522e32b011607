import { expect, test } from 'vitest'
import { type BoardTheme, defaultBoardTheme, fallbackBoardTheme } from '#contract/boards/boards.ts'
import { getContrastRatio, getLuminance } from '#web/themes/base/contrast-ratio.ts'
import { getReadableColor, sanitizeTheme, toBoardColors } from './board-colours.ts'

test('computes contrast by WCAG', () => {
  expect(getContrastRatio('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(getContrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  expect(getContrastRatio('#334155', '#334155')).toBe(1)
})

test('text is readable on any background and uses the preferred color if possible', () => {
  for (let step = 0; step < 4096; step++) {
    const ground = `#${[step >> 8, (step >> 4) & 15, step & 15].map((part) => part.toString(16).repeat(2)).join('')}`
    expect(getContrastRatio(ground, getReadableColor(ground)), ground).toBeGreaterThanOrEqual(4.5)
  }
  expect(getReadableColor('#E2E8F0', '#0F172A')).toBe('#0F172A')
  expect(getReadableColor('#111111', '#0F172A')).toBe('#FFFFFF')
})

test('replaces anything but #rrggbb with the default', () => {
  const hostile = {
    primaryColor: 'red;background:url(//e)',
    backgroundColor: '#fff',
    accentColor: 'url(javascript:0)',
    borderColor: '#CBD5E1;',
  }
  expect(sanitizeTheme(hostile)).toEqual(fallbackBoardTheme)
  expect(sanitizeTheme(null)).toEqual(fallbackBoardTheme)
  expect(sanitizeTheme(defaultBoardTheme)).toEqual(defaultBoardTheme)
  for (const value of Object.values(toBoardColors(hostile))) expect(value).toMatch(/^#[0-9a-f]{6}$/i)
})

test('dark mode darkens default backgrounds only', () => {
  const ground = (theme: Partial<BoardTheme> | null, mode: 'light' | 'dark') =>
    (toBoardColors(theme, mode) as Record<string, string>)['--board-ground'] ?? ''
  expect(ground(defaultBoardTheme, 'light')).toBe('#E2E8F0')
  for (const theme of [defaultBoardTheme, fallbackBoardTheme, null])
    expect(getLuminance(ground(theme, 'dark'))).toBeLessThan(0.05)
  expect(ground({ ...defaultBoardTheme, backgroundColor: '#FFEEDD' }, 'dark')).toBe('#FFEEDD')
})
