import { type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'
import { toExactHsl } from '#web/themes/base/theme-colors.ts'

/** `#rrggbb` by color name: the 19 of a theme and the built-in ones that custom themes don't define. */
export type Colors = Readonly<Record<string, string>>

export interface ContrastPair {
  foreground: string
  background: string
  /** Minimum ratio by WCAG 2.2 AA: 4.5 for text, 3 for non-text. */
  minRatio: 4.5 | 3
}

const textPairs: [foreground: string, backgrounds: string][] = [
  ['foreground', 'background card popover muted secondary accent sidebar paper ribbonSoft'],
  ['foreground', 'successSoft warningSoft infoSoft destructiveSoft'],
  ['mutedForeground', 'background card popover muted secondary sidebar paper'],
  ['cardForeground', 'card'],
  ['popoverForeground', 'popover'],
  ['primaryForeground', 'primary'],
  ['secondaryForeground', 'secondary'],
  ['accentForeground', 'accent'],
  ['destructiveForeground', 'destructive'],
  ['primary', 'background card popover muted sidebar paper'],
  ['destructive', 'background card popover muted sidebar paper destructiveSoft'],
  ['sidebarForeground', 'sidebar'],
  ['success', 'background card popover muted sidebar paper successSoft'],
  ['warning', 'background card popover muted sidebar paper warningSoft'],
  ['info', 'background card popover muted sidebar paper infoSoft'],
  ['ribbonText', 'background card popover muted sidebar paper ribbonSoft'],
  ['successForeground', 'success'],
  ['warningForeground', 'warning'],
  ['infoForeground', 'info'],
]
const nonTextPairs: typeof textPairs = [
  ['input', 'background card popover paper'],
  ['ring', 'background card popover paper'],
]
const toPairs = (list: typeof textPairs, minRatio: ContrastPair['minRatio']): ContrastPair[] =>
  list.flatMap(([foreground, backgrounds]) =>
    backgrounds.split(' ').map((background) => ({ foreground, background, minRatio })),
  )

/** Every foreground and background combination that Keeper uses. */
export const contrastPairs: readonly ContrastPair[] = [...toPairs(textPairs, 4.5), ...toPairs(nonTextPairs, 3)]

export interface MeasuredPair extends ContrastPair {
  ratio: number
  passes: boolean
}

export function measureContrast(colors: Colors, candidates: readonly ContrastPair[] = contrastPairs): MeasuredPair[] {
  return candidates.flatMap((pair) => {
    const [foreground, background] = [colors[pair.foreground], colors[pair.background]]
    if (!foreground || !background) return []
    const ratio = getContrastRatio(foreground, background)
    return [{ ...pair, ratio, passes: ratio >= pair.minRatio }]
  })
}

export function findLowest(measuredPairs: readonly MeasuredPair[]): MeasuredPair | undefined {
  return measuredPairs.reduce<MeasuredPair | undefined>(
    (lowest, pair) => (lowest && lowest.ratio / lowest.minRatio <= pair.ratio / pair.minRatio ? lowest : pair),
    undefined,
  )
}

export function findLowestTextRatio(colors: Colors): number {
  return Math.min(...measureContrast(colors).flatMap(({ minRatio, ratio }) => (minRatio === 4.5 ? [ratio] : [])))
}

export function formatUnreadable(count: number): string {
  return count === 1 ? '1 pair is hard to read' : `${count} pairs are hard to read`
}

/** One decimal, never rounded up to a minimum that the ratio misses: 4.49 is 4.4. */
export function formatRatio(ratio: number): string {
  const rounded = Math.round(ratio * 10) / 10
  const roundsUp = [3, 4.5].some((minRatio) => ratio < minRatio && rounded >= minRatio)
  return (roundsUp ? rounded - 0.1 : rounded).toFixed(1)
}

/** Finer than 1/255, so that every gray is tried. */
const lightnessStep = 1 / 512

/** The nearest color of the same hue and saturation that passes on every background, or undefined. */
export function findReadableColor(
  hex: string,
  backgrounds: readonly { hex: string; minRatio: ContrastPair['minRatio'] }[],
): string | undefined {
  const candidates = backgrounds.map(({ minRatio }, index) => ({
    foreground: 'foreground',
    background: String(index),
    minRatio,
  }))
  const colors = Object.fromEntries(backgrounds.map((background, index) => [String(index), background.hex]))
  const passes = (foreground: string) =>
    measureContrast({ ...colors, foreground }, candidates).every((pair) => pair.passes)
  if (passes(hex)) return hex
  // Unrounded, so that the hue doesn't drift.
  const [hue, saturation, lightness] = toExactHsl(hex)
  for (let offset = lightnessStep; offset <= 1; offset += lightnessStep)
    for (const next of [lightness - offset, lightness + offset]) {
      if (next < -lightnessStep || next > 1 + lightnessStep) continue
      const candidate = toHex(hue, saturation, Math.min(1, Math.max(0, next)))
      if (passes(candidate)) return candidate
    }
  return undefined
}

export function fixThemeKey(key: ThemeKey, colors: Colors): string | undefined {
  const backgrounds = contrastPairs.flatMap(({ foreground, background, minRatio }) => {
    const hex = colors[background]
    return foreground === key && hex ? [{ hex, minRatio }] : []
  })
  return findReadableColor(colors[key] ?? '', backgrounds)
}

// These are also backgrounds, so the text on them is fixed afterwards.
const backgroundKeys: ThemeKey[] = ['primary', 'destructive']
const fixOrder = [...backgroundKeys, ...themeKeys.filter((key) => !backgroundKeys.includes(key))]

/** `unfixable` lists the colors that no lightness makes readable. */
export function fixAllKeys(colors: Colors): { changes: Partial<Record<ThemeKey, string>>; unfixable: ThemeKey[] } {
  const changes: Partial<Record<ThemeKey, string>> = {}
  const unfixable: ThemeKey[] = []
  for (const key of fixOrder) {
    const currentColors: Colors = { ...colors, ...changes }
    const fixedColor = fixThemeKey(key, currentColors)
    if (fixedColor === undefined) unfixable.push(key)
    else if (fixedColor !== currentColors[key]) changes[key] = fixedColor
  }
  return { changes, unfixable }
}

function toHex(hue: number, saturation: number, lightness: number): string {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  const formatChannel = (offset: number) => {
    const position = (offset + hue * 2) % 12
    const value = lightness - amplitude * Math.max(-1, Math.min(position - 3, 9 - position, 1))
    return Math.round(255 * Math.min(1, Math.max(0, value)))
      .toString(16)
      .padStart(2, '0')
  }
  return `#${formatChannel(0)}${formatChannel(8)}${formatChannel(4)}`
}
