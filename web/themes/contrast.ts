import { type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'
import { toExactHsl } from '#web/themes/base/theme-colors.ts'

/** `#rrggbb` by color name: the 19 of a theme and the built-in ones that custom themes don't define. */
export type Colours = Readonly<Record<string, string>>

export interface ContrastPair {
  ink: string
  ground: string
  /** Minimum ratio by WCAG 2.2 AA: 4.5 for text, 3 for non-text. */
  needs: 4.5 | 3
}

const textPairs: [ink: string, grounds: string][] = [
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
const toPairs = (list: typeof textPairs, needs: ContrastPair['needs']): ContrastPair[] =>
  list.flatMap(([ink, grounds]) => grounds.split(' ').map((ground) => ({ ink, ground, needs })))

/** Every foreground and background combination that Keeper uses. */
export const contrastPairs: readonly ContrastPair[] = [...toPairs(textPairs, 4.5), ...toPairs(nonTextPairs, 3)]

export interface MeasuredPair extends ContrastPair {
  ratio: number
  passes: boolean
}

export function measureContrast(colours: Colours, candidates: readonly ContrastPair[] = contrastPairs): MeasuredPair[] {
  return candidates.flatMap((pair) => {
    const [ink, ground] = [colours[pair.ink], colours[pair.ground]]
    if (!ink || !ground) return []
    const ratio = getContrastRatio(ink, ground)
    return [{ ...pair, ratio, passes: ratio >= pair.needs }]
  })
}

export function findLowest(measured: readonly MeasuredPair[]): MeasuredPair | undefined {
  return measured.reduce<MeasuredPair | undefined>(
    (worst, pair) => (worst && worst.ratio / worst.needs <= pair.ratio / pair.needs ? worst : pair),
    undefined,
  )
}

export function findLowestTextRatio(colours: Colours): number {
  return Math.min(...measureContrast(colours).flatMap(({ needs, ratio }) => (needs === 4.5 ? [ratio] : [])))
}

export function formatUnreadable(count: number): string {
  return count === 1 ? '1 pair is hard to read' : `${count} pairs are hard to read`
}

/** One decimal, never rounded up to a minimum that the ratio misses: 4.49 is 4.4. */
export function formatRatio(ratio: number): string {
  const rounded = Math.round(ratio * 10) / 10
  const roundsUp = [3, 4.5].some((needs) => ratio < needs && rounded >= needs)
  return (roundsUp ? rounded - 0.1 : rounded).toFixed(1)
}

/** Finer than 1/255, so that every gray is tried. */
const lightnessStep = 1 / 512

/** The nearest color of the same hue and saturation that passes on every background, or undefined. */
export function findReadableColor(
  hex: string,
  grounds: readonly { hex: string; needs: ContrastPair['needs'] }[],
): string | undefined {
  const candidates = grounds.map(({ needs }, index) => ({ ink: 'ink', ground: String(index), needs }))
  const colours = Object.fromEntries(grounds.map((ground, index) => [String(index), ground.hex]))
  const passes = (ink: string) => measureContrast({ ...colours, ink }, candidates).every((pair) => pair.passes)
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

export function fixThemeKey(key: ThemeKey, colours: Colours): string | undefined {
  const grounds = contrastPairs.flatMap(({ ink, ground, needs }) => {
    const hex = colours[ground]
    return ink === key && hex ? [{ hex, needs }] : []
  })
  return findReadableColor(colours[key] ?? '', grounds)
}

// These are also backgrounds, so the text on them is fixed afterwards.
const backgroundKeys: ThemeKey[] = ['primary', 'destructive']
const fixOrder = [...backgroundKeys, ...themeKeys.filter((key) => !backgroundKeys.includes(key))]

/** `unfixable` lists the colors that no lightness makes readable. */
export function fixAllKeys(colours: Colours): { changes: Partial<Record<ThemeKey, string>>; unfixable: ThemeKey[] } {
  const changes: Partial<Record<ThemeKey, string>> = {}
  const unfixable: ThemeKey[] = []
  for (const key of fixOrder) {
    const currentColours: Colours = { ...colours, ...changes }
    const fixedColour = fixThemeKey(key, currentColours)
    if (fixedColour === undefined) unfixable.push(key)
    else if (fixedColour !== currentColours[key]) changes[key] = fixedColour
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
