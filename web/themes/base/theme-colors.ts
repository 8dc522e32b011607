import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { type ShippedThemeSlug, type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'

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

export const defaultTheme: { slug: ShippedThemeSlug; name: string } = { slug: 'keeper-classic', name: 'Keeper Classic' }

/** The themes whose colors are all in the stylesheet. */
export const builtInThemes: (typeof defaultTheme)[] = [
  defaultTheme,
  { slug: 'forest-deep', name: 'Forest Deep' },
  { slug: 'ocean-calm', name: 'Ocean Calm' },
  { slug: 'sunset-warm', name: 'Sunset Warm' },
  { slug: 'midnight-elegant', name: 'Midnight Elegant' },
]

export type ThemeVariables = Record<string, string>

/** Skips values that aren't hex. Without a `basis`, chart color 1 is the theme's primary color, and the ribbon its ring color. */
export function toThemeVariables(colors: ServerTheme['light'], basis: ServerTheme['basis']): ThemeVariables {
  const variables: ThemeVariables = {}
  for (const key of themeKeys) {
    const hsl = hexToHsl(colors[key] ?? '')
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
  const color = normalizeColor(hex.trim().replace(/^#?/, '#'))
  if (!color) return undefined
  const [hue, saturation, lightness] = toExactHsl(color)
  return {
    hue: roundToTenth(hue * 60) % 360,
    saturation: roundToTenth(saturation * 100),
    lightness: roundToTenth(lightness * 100),
  }
}

/** Converts `#rrggbb` to hue in sixths, saturation and lightness from 0 to 1, unrounded. */
export function toExactHsl(color: string): [hue: number, saturation: number, lightness: number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (offset) => Number.parseInt(color.slice(offset, offset + 2), 16) / 255,
  )
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const [spread, lightness] = [high - low, (high + low) / 2]
  if (spread === 0) return [0, 0, lightness]
  let hue = (red - green) / spread + 4
  if (high === red) hue = ((green - blue) / spread + 6) % 6
  else if (high === green) hue = (blue - red) / spread + 2
  return [hue, spread / (1 - Math.abs(2 * lightness - 1)), lightness]
}

/** In CSS syntax: 'hsl(43.6 35.5% 93.9%)'. */
export function formatHsl({ hue, saturation, lightness }: Hsl): string {
  return `hsl(${hue} ${saturation}% ${lightness}%)`
}

const roundToTenth = (value: number) => Math.round(value * 10) / 10
