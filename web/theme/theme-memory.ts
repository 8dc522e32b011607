import {
  builtInThemes,
  defaultTheme,
  type ServerTheme,
  type ThemeMode,
  type ThemeVariables,
  themeVariables,
} from './theme-colours.ts'

export type ModeChoice = ThemeMode | 'system'

/** What this browser remembers, so that the next page is painted right from the first pixel. */
export interface ThemeMemory {
  slug: string
  mode: ModeChoice
  /** Only for a theme that is not in the stylesheet. */
  colours?: Record<ThemeMode, ThemeVariables>
}

const key = 'keeper-theme'

export function readThemeMemory(): ThemeMemory {
  try {
    const memory = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<ThemeMemory> | null
    return { slug: defaultTheme.slug, mode: 'system', ...memory }
  } catch {
    return { slug: defaultTheme.slug, mode: 'system' }
  }
}

/** theme.js hears the event and paints. */
export function writeThemeMemory(memory: ThemeMemory): void {
  try {
    localStorage.setItem(key, JSON.stringify(memory))
  } catch {
    // A browser that refuses to remember shows the default next time.
  }
  dispatchEvent(new Event('keeper-theme'))
}

export function rememberTheme(theme: Pick<ServerTheme, 'slug'> & Partial<ServerTheme>): void {
  const { mode } = readThemeMemory()
  const builtIn = builtInThemes.some(({ slug }) => slug === theme.slug)
  writeThemeMemory({
    slug: theme.slug,
    mode,
    colours:
      builtIn || !theme.light || !theme.dark
        ? undefined
        : { light: themeVariables(theme.light), dark: themeVariables(theme.dark) },
  })
}
