import type { CSSProperties } from 'react'
import { type BoardTheme, defaultBoardTheme, fallbackBoardTheme } from '#contract/boards/boards.ts'
import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'

const hexPattern = /^#[0-9a-f]{6}$/i

const darkText = '#14171C'
const lightText = '#FFFFFF'

/** The preferred color if it is readable on the background, else ink, paper or black. */
export function getReadableColor(background: string, preferred?: string, minContrast = 4.5): string {
  if (preferred && getContrastRatio(background, preferred) >= minContrast) return preferred
  const readableColor =
    getContrastRatio(background, darkText) >= getContrastRatio(background, lightText) ? darkText : lightText
  return getContrastRatio(background, readableColor) >= minContrast ? readableColor : '#000000'
}

/** Sanitizes a theme: only `#rrggbb` values pass. */
export function sanitizeTheme(theme: Partial<BoardTheme> | null | undefined): BoardTheme {
  const sanitized = { ...fallbackBoardTheme } as BoardTheme
  for (const name of Object.keys(sanitized) as (keyof BoardTheme)[]) {
    const value = theme?.[name]
    if (typeof value === 'string' && hexPattern.test(value)) sanitized[name] = value
  }
  return sanitized
}

const darkDefaultTheme: BoardTheme = {
  primaryColor: '#93C5FD',
  backgroundColor: '#1B222C',
  accentColor: '#E2E8F0',
  borderColor: '#334155',
}
const defaultBackgrounds = [defaultBoardTheme.backgroundColor, fallbackBoardTheme.backgroundColor].map((color) =>
  color.toLowerCase(),
)

/** A chosen background stays the same in dark mode. */
function resolveTheme(boardTheme: Partial<BoardTheme> | null | undefined, mode: 'light' | 'dark'): BoardTheme {
  const theme = sanitizeTheme(boardTheme)
  return mode === 'dark' && defaultBackgrounds.includes(theme.backgroundColor.toLowerCase()) ? darkDefaultTheme : theme
}

/** `--board-*` properties for `style`. `-text` is readable on the background, `-button-text` on the primary color, `-mark` has 3:1. */
export function toBoardColors(
  boardTheme: Partial<BoardTheme> | null | undefined,
  mode: 'light' | 'dark' = 'light',
): CSSProperties {
  const { backgroundColor, primaryColor, accentColor, borderColor } = resolveTheme(boardTheme, mode)
  return {
    '--board-ground': backgroundColor,
    '--board-text': getReadableColor(backgroundColor, accentColor),
    '--board-primary': primaryColor,
    '--board-button-text': getReadableColor(primaryColor, lightText),
    '--board-mark': getReadableColor(backgroundColor, primaryColor, 3),
    '--board-border': borderColor,
  } as CSSProperties
}
