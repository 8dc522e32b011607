import type { CSSProperties } from 'react'
import { type BoardTheme, defaultBoardTheme, themeOfThemeless } from '#contract/boards/boards.ts'
import { contrast } from '#web/theme/contrast-ratio.ts'

const hex = /^#[0-9a-f]{6}$/i

const ink = '#14171C'
const paper = '#FFFFFF'

/** The preferred color if it is readable on the background, else ink, paper or black. */
export function readableOn(ground: string, wished?: string, least = 4.5): string {
  if (wished && contrast(ground, wished) >= least) return wished
  const better = contrast(ground, ink) >= contrast(ground, paper) ? ink : paper
  return contrast(ground, better) >= least ? better : '#000000'
}

/** Sanitizes a theme: only `#rrggbb` values pass. */
export function checkedTheme(theme: Partial<BoardTheme> | null | undefined): BoardTheme {
  const checked = { ...themeOfThemeless } as BoardTheme
  for (const name of Object.keys(checked) as (keyof BoardTheme)[]) {
    const given = theme?.[name]
    if (typeof given === 'string' && hex.test(given)) checked[name] = given
  }
  return checked
}

/** Dark counterpart of the default theme. */
const byNight: BoardTheme = {
  primaryColor: '#93C5FD',
  backgroundColor: '#1B222C',
  accentColor: '#E2E8F0',
  borderColor: '#334155',
}
const unchosen = [defaultBoardTheme.backgroundColor, themeOfThemeless.backgroundColor].map((each) => each.toLowerCase())

/** A chosen background stays the same in dark mode. */
function shownTheme(given: Partial<BoardTheme> | null | undefined, mode: 'light' | 'dark'): BoardTheme {
  const theme = checkedTheme(given)
  return mode === 'dark' && unchosen.includes(theme.backgroundColor.toLowerCase()) ? byNight : theme
}

/** `--board-*` properties for `style`. `-text` is readable on the background, `-button-text` on the primary color, `-mark` has 3:1. */
export function boardColours(
  given: Partial<BoardTheme> | null | undefined,
  mode: 'light' | 'dark' = 'light',
): CSSProperties {
  const { backgroundColor, primaryColor, accentColor, borderColor } = shownTheme(given, mode)
  return {
    '--board-ground': backgroundColor,
    '--board-text': readableOn(backgroundColor, accentColor),
    '--board-primary': primaryColor,
    '--board-button-text': readableOn(primaryColor, paper),
    '--board-mark': readableOn(backgroundColor, primaryColor, 3),
    '--board-border': borderColor,
  } as CSSProperties
}
