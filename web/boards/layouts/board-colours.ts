import type { CSSProperties } from 'react'
import { type BoardTheme, defaultBoardTheme, fallbackBoardTheme } from '#contract/boards/boards.ts'
import { contrast } from '#web/theme/contrast-ratio.ts'

const hex = /^#[0-9a-f]{6}$/i

const ink = '#14171C'
const paper = '#FFFFFF'

/** The preferred color if it is readable on the background, else ink, paper or black. */
export function getReadableColour(ground: string, preferred?: string, minContrast = 4.5): string {
  if (preferred && contrast(ground, preferred) >= minContrast) return preferred
  const better = contrast(ground, ink) >= contrast(ground, paper) ? ink : paper
  return contrast(ground, better) >= minContrast ? better : '#000000'
}

/** Sanitizes a theme: only `#rrggbb` values pass. */
export function sanitizeTheme(theme: Partial<BoardTheme> | null | undefined): BoardTheme {
  const checked = { ...fallbackBoardTheme } as BoardTheme
  for (const name of Object.keys(checked) as (keyof BoardTheme)[]) {
    const value = theme?.[name]
    if (typeof value === 'string' && hex.test(value)) checked[name] = value
  }
  return checked
}

const darkDefaultTheme: BoardTheme = {
  primaryColor: '#93C5FD',
  backgroundColor: '#1B222C',
  accentColor: '#E2E8F0',
  borderColor: '#334155',
}
const defaultBackgrounds = [defaultBoardTheme.backgroundColor, fallbackBoardTheme.backgroundColor].map((colour) =>
  colour.toLowerCase(),
)

/** A chosen background stays the same in dark mode. */
function resolveTheme(boardTheme: Partial<BoardTheme> | null | undefined, mode: 'light' | 'dark'): BoardTheme {
  const theme = sanitizeTheme(boardTheme)
  return mode === 'dark' && defaultBackgrounds.includes(theme.backgroundColor.toLowerCase()) ? darkDefaultTheme : theme
}

/** `--board-*` properties for `style`. `-text` is readable on the background, `-button-text` on the primary color, `-mark` has 3:1. */
export function toBoardColours(
  boardTheme: Partial<BoardTheme> | null | undefined,
  mode: 'light' | 'dark' = 'light',
): CSSProperties {
  const { backgroundColor, primaryColor, accentColor, borderColor } = resolveTheme(boardTheme, mode)
  return {
    '--board-ground': backgroundColor,
    '--board-text': getReadableColour(backgroundColor, accentColor),
    '--board-primary': primaryColor,
    '--board-button-text': getReadableColour(primaryColor, paper),
    '--board-mark': getReadableColour(backgroundColor, primaryColor, 3),
    '--board-border': borderColor,
  } as CSSProperties
}
