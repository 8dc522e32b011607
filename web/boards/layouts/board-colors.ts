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

const isDefault = (name: keyof BoardTheme, color: string) =>
  [defaultBoardTheme, fallbackBoardTheme].some((theme) => theme[name].toLowerCase() === color.toLowerCase())

/**
 * `--board-*` properties for `style`. On the default background, colors that no one chose follow the page.
 * `-text` is readable on the background, `-button-text` on the primary color, `-mark` has 3:1.
 */
export function toBoardColors(
  boardTheme: Partial<BoardTheme> | null | undefined,
  mode: 'light' | 'dark' = 'light',
): Record<`--board-${string}`, string> {
  const theme = sanitizeTheme(boardTheme)
  const { backgroundColor, primaryColor, accentColor, borderColor } = theme
  const isDefaultGround = isDefault('backgroundColor', backgroundColor)
  const pageGround = mode === 'dark' ? darkText : lightText
  const ground = isDefaultGround ? pageGround : backgroundColor
  const resolve = (name: keyof BoardTheme, pageColor: string, color: string) =>
    isDefaultGround && isDefault(name, theme[name]) ? `var(--k-${pageColor})` : color
  return {
    '--board-ground': resolve('backgroundColor', 'background', backgroundColor),
    '--board-text': resolve('accentColor', 'foreground', getReadableColor(ground, accentColor)),
    '--board-primary': resolve('primaryColor', 'primary', primaryColor),
    '--board-button-text': resolve('primaryColor', 'primary-foreground', getReadableColor(primaryColor, lightText)),
    '--board-mark': resolve('primaryColor', 'ring', getReadableColor(ground, primaryColor, 3)),
    '--board-border': resolve('borderColor', 'border', borderColor),
  }
}
