import { getContrastRatio } from '#web/themes/base/contrast-ratio.ts'

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
