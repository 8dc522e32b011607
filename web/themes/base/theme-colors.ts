import { type ShippedSlug, type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'

export type ThemeMode = 'light' | 'dark'

export interface ServerTheme {
  id: string
  slug: string
  name: string
  light: Partial<Record<ThemeKey, string>>
  dark: Partial<Record<ThemeKey, string>>
  /** The stylesheet theme that supplies all other colors; `null` means keeper-classic. */
  basis?: string | null
}

export const defaultTheme: { slug: ShippedSlug; name: string } = { slug: 'keeper-classic', name: 'Keeper Classic' }

/** The themes whose colors are all in the stylesheet. */
export const builtInThemes: (typeof defaultTheme)[] = [
  defaultTheme,
  { slug: 'forest-deep', name: 'Forest Deep' },
  { slug: 'ocean-calm', name: 'Ocean Calm' },
  { slug: 'sunset-warm', name: 'Sunset Warm' },
  { slug: 'midnight-elegant', name: 'Midnight Elegant' },
]

export type ThemeVariables = Record<string, string>

/** Skips values that aren't hex. Without a base, pigment and ribbon follow the theme's own colors. */
export function toThemeVariables(colours: ServerTheme['light'], basis: ServerTheme['basis']): ThemeVariables {
  const variables: ThemeVariables = {}
  for (const key of themeKeys) {
    const hsl = hexToHsl(colours[key] ?? '')
    if (hsl) variables[getVariableName(key)] = formatHsl(hsl)
  }
  if (basis) return variables
  if (variables['--k-primary']) variables['--k-chart1'] = variables['--k-primary']
  if (variables['--k-ring']) variables['--k-ribbon'] = variables['--k-ring']
  return variables
}

export function getVariableName(key: string): string {
  return `--k-${key.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`
}
interface Hsl {
  hue: number
  saturation: number
  lightness: number
}

/** One decimal each: whole numbers would shift a color by up to two steps of 255 and change its contrast. */
export function hexToHsl(hex: string): Hsl | undefined {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(hex.trim())?.[1]
  if (!digits) return undefined
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g)
  const [red, green, blue] = (pairs as [string, string, string]).map((pair) => Number.parseInt(pair, 16) / 255) as [
    number,
    number,
    number,
  ]

  const high = Math.max(red, green, blue)
  const spread = high - Math.min(red, green, blue)
  const midLightness = high - spread / 2
  const hueSixth =
    spread === 0
      ? 0
      : high === red
        ? ((green - blue) / spread + 6) % 6
        : high === green
          ? (blue - red) / spread + 2
          : (red - green) / spread + 4
  return {
    hue: roundToTenth(hueSixth * 60) % 360,
    saturation: roundToTenth(spread === 0 ? 0 : (spread / (1 - Math.abs(2 * midLightness - 1))) * 100),
    lightness: roundToTenth(midLightness * 100),
  }
}

/** In CSS syntax: 'hsl(43.6 35.5% 93.9%)'. */
export function formatHsl({ hue, saturation, lightness }: Hsl): string {
  return `hsl(${hue} ${saturation}% ${lightness}%)`
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
