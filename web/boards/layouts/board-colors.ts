import { type BoardTheme, defaultBoardTheme, fallbackBoardTheme } from '#contract/boards/boards.ts'
import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'

const hexPattern = /^#[0-9a-f]{6}$/i

const darkText = '#14171C'
const lightText = '#FFFFFF'
const black = '#000000'
/** Contrast ratios of WCAG 2.2 AA. */
const minTextContrast = 4.5
const minMarkContrast = 3

/** The preferred color if it is readable on the background, else dark, light or black. */
export function getReadableColor(background: string, preferred?: string, minContrast = minTextContrast): string {
  if (preferred && getContrastRatio(background, preferred) >= minContrast) return preferred
  const readableColor =
    getContrastRatio(background, darkText) >= getContrastRatio(background, lightText) ? darkText : lightText
  return getContrastRatio(background, readableColor) >= minContrast ? readableColor : black
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
  const isDefaultBackground = isDefault('backgroundColor', backgroundColor)
  const pageBackground = mode === 'dark' ? darkText : lightText
  const background = isDefaultBackground ? pageBackground : backgroundColor
  const resolveColor = (name: keyof BoardTheme, pageColor: string, color: string) =>
    isDefaultBackground && isDefault(name, theme[name]) ? `var(--k-${pageColor})` : color
  return {
    '--board-ground': resolveColor('backgroundColor', 'background', backgroundColor),
    '--board-text': resolveColor('accentColor', 'foreground', getReadableColor(background, accentColor)),
    '--board-primary': resolveColor('primaryColor', 'primary', primaryColor),
    '--board-button-text': resolveColor(
      'primaryColor',
      'primary-foreground',
      getReadableColor(primaryColor, lightText),
    ),
    '--board-mark': resolveColor('primaryColor', 'ring', getReadableColor(background, primaryColor, minMarkContrast)),
    '--board-border': resolveColor('borderColor', 'border', borderColor),
  }
}
