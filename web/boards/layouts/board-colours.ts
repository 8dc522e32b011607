import type { CSSProperties } from 'react'
import { type BoardTheme, defaultBoardTheme, themeOfThemeless } from '#contract/boards/boards.ts'
import { contrast } from '#web/theme/contrast-ratio.ts'

const hex = /^#[0-9a-f]{6}$/i

const ink = '#14171C'
const paper = '#FFFFFF'

/** The wished colour where it can be read on the ground, else ink or paper; black, where neither is enough. */
export function readableOn(ground: string, wished?: string, least = 4.5): string {
  if (wished && contrast(ground, wished) >= least) return wished
  const better = contrast(ground, ink) >= contrast(ground, paper) ? ink : paper
  return contrast(ground, better) >= least ? better : '#000000'
}

/** The colours of a board that can be trusted: `#rrggbb`, nothing else. */
export function checkedTheme(theme: Partial<BoardTheme> | null | undefined): BoardTheme {
  const checked = { ...themeOfThemeless } as BoardTheme
  for (const name of Object.keys(checked) as (keyof BoardTheme)[]) {
    const given = theme?.[name]
    if (typeof given === 'string' && hex.test(given)) checked[name] = given
  }
  return checked
}

/** What the colours that nobody chose become by night: the same slate, dark. */
const byNight: BoardTheme = {
  primaryColor: '#93C5FD',
  backgroundColor: '#1B222C',
  accentColor: '#E2E8F0',
  borderColor: '#334155',
}
const unchosen = [defaultBoardTheme.backgroundColor, themeOfThemeless.backgroundColor].map((each) => each.toLowerCase())

/** The colours as they are shown: a ground that somebody chose stays what it is by night too. */
function shownTheme(given: Partial<BoardTheme> | null | undefined, mode: 'light' | 'dark'): BoardTheme {
  const theme = checkedTheme(given)
  return mode === 'dark' && unchosen.includes(theme.backgroundColor.toLowerCase()) ? byNight : theme
}

/**
 * A board's colours as `--board-*` properties, for `style` of an element; React sets them through CSSOM. `-text` reads on
 * the ground, `-button-text` on the primary colour, `-mark` can be told from the ground (3:1) where it is no text.
 */
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
