import { type ShippedSlug, type ThemeKey, themeKeys } from '#contract/themes/theme-keys.ts'
import { formatHsl, hexToHsl } from './hex-to-hsl.ts'

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
