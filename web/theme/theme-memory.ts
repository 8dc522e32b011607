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
  /** The theme of the stylesheet that gives every colour that `colours` does not. */
  basis?: string | undefined
  /** By the id of a keeper, the theme that was chosen for its pages. */
  keepers?: Readonly<Record<string, string | undefined>> | undefined
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
  store(memory)
  dispatchEvent(new Event('keeper-theme'))
}

export function rememberedKeeperTheme(keeperId: string): string | undefined {
  return readThemeMemory().keepers?.[keeperId]
}

/** So that theme.js paints the next page of the keeper right from the first pixel; `undefined`: it follows the person's. */
export function rememberKeeperTheme(keeperId: string, slug: string | undefined): void {
  const memory = readThemeMemory()
  if (memory.keepers?.[keeperId] !== slug) store({ ...memory, keepers: { ...memory.keepers, [keeperId]: slug } })
}

function store(memory: ThemeMemory): void {
  try {
    localStorage.setItem(key, JSON.stringify(memory))
  } catch {
    // A browser that refuses to remember shows the default next time.
  }
}

/** One of the stylesheet is known by its slug; any other one brings its colours. */
export type NamedTheme = Pick<ServerTheme, 'slug'> & Partial<ServerTheme>

export function rememberTheme(theme: NamedTheme): void {
  writeThemeMemory({ ...memoryOf(theme), keepers: readThemeMemory().keepers })
}

/** Paints a theme without remembering it; null goes back to the remembered one. */
export function previewTheme(theme: NamedTheme | null): void {
  dispatchEvent(new CustomEvent('keeper-theme', { detail: theme ? memoryOf(theme) : null }))
}

function memoryOf({ slug, light, dark, basis }: NamedTheme): ThemeMemory {
  const inStylesheet = builtInThemes.some((builtIn) => builtIn.slug === slug)
  const brought = !inStylesheet && light && dark
  return {
    slug,
    mode: readThemeMemory().mode,
    colours: brought ? { light: themeVariables(light, basis), dark: themeVariables(dark, basis) } : undefined,
    basis: (brought && basis) || undefined,
  }
}
