import { expect, test } from 'vitest'
import { defaultBoardTheme, fallbackBoardTheme } from '#contract/boards/boards.ts'
import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'
import { getReadableColor, sanitizeTheme, toBoardColors } from './board-colors.ts'

test('the contrast follows WCAG', () => {
  expect(getContrastRatio('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(getContrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  expect(getContrastRatio('#334155', '#334155')).toBe(1)
})

test('text is readable on any background and uses the preferred color if possible', () => {
  for (let step = 0; step < 4096; step++) {
    const background = `#${[step >> 8, (step >> 4) & 15, step & 15].map((part) => part.toString(16).repeat(2)).join('')}`
    expect(getContrastRatio(background, getReadableColor(background)), background).toBeGreaterThanOrEqual(4.5)
  }
  expect(getReadableColor('#E2E8F0', '#0F172A')).toBe('#0F172A')
  expect(getReadableColor('#111111', '#0F172A')).toBe('#FFFFFF')
})

test('colors other than #rrggbb are replaced with the default', () => {
  const hostile = {
    primaryColor: 'red;background:url(//e)',
    backgroundColor: '#fff',
    accentColor: 'url(javascript:0)',
    borderColor: '#CBD5E1;',
  }
  expect(sanitizeTheme(hostile)).toEqual(fallbackBoardTheme)
  expect(sanitizeTheme(null)).toEqual(fallbackBoardTheme)
  expect(sanitizeTheme(defaultBoardTheme)).toEqual(defaultBoardTheme)
  for (const value of Object.values(toBoardColors(hostile)))
    expect(value).toMatch(/^(#[0-9a-f]{6}|var\(--k-[a-z-]+\))$/i)
})

test('colors that no one chose follow the page', () => {
  for (const theme of [defaultBoardTheme, fallbackBoardTheme, null])
    expect(toBoardColors(theme)).toEqual({
      '--board-ground': 'var(--k-background)',
      '--board-text': 'var(--k-foreground)',
      '--board-primary': 'var(--k-primary)',
      '--board-button-text': 'var(--k-primary-foreground)',
      '--board-mark': 'var(--k-ring)',
      '--board-border': 'var(--k-border)',
    })
  const chosenPrimary = toBoardColors({ ...defaultBoardTheme, primaryColor: '#7C2D12' }, 'dark')
  expect(chosenPrimary['--board-primary']).toBe('#7C2D12')
  expect(chosenPrimary['--board-ground']).toBe('var(--k-background)')
  expect(getContrastRatio('#14171C', chosenPrimary['--board-mark'] ?? '')).toBeGreaterThanOrEqual(3)
})

test('a chosen background stays the same in dark mode, with readable text', () => {
  const colors = toBoardColors({ ...defaultBoardTheme, backgroundColor: '#FFEEDD' }, 'dark')
  expect(colors['--board-ground']).toBe('#FFEEDD')
  expect(colors['--board-text']).toBe(defaultBoardTheme.accentColor)
  expect(colors['--board-border']).toBe(defaultBoardTheme.borderColor)
})
