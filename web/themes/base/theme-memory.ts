import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import {
  builtInThemes,
  defaultTheme,
  type ServerTheme,
  type ThemeMode,
  type ThemeVariables,
  toThemeVariables,
} from './theme-colors.ts'

export type ModeChoice = ThemeMode | 'system'

/** Stored in this browser, so that the next page has the right colors from the first paint. */
export interface ThemeMemory {
  slug: string
  mode: ModeChoice
  /** Only for themes that are not in the stylesheet. */
  colours?: Record<ThemeMode, ThemeVariables>
  /** The stylesheet theme that supplies the colors missing from `colours`. */
  basis?: string | undefined
  /** Themes of single keepers, by keeper id. */
  keepers?: Readonly<Record<string, string | undefined>> | undefined
}

const themeMemoryKey = 'keeper-theme'

export function readThemeMemory(): ThemeMemory {
  try {
    const memory = JSON.parse(readSetting(themeMemoryKey) ?? '{}') as Partial<ThemeMemory> | null
    return { slug: defaultTheme.slug, mode: 'system', ...memory }
  } catch {
    return { slug: defaultTheme.slug, mode: 'system' }
  }
}

/** theme.js listens to the event, which carries the value because storing it may have failed. */
export function writeThemeMemory(memory: ThemeMemory): void {
  storeThemeMemory(memory)
  dispatchEvent(Object.assign(new Event('keeper-theme'), { storedMemory: readSetting(themeMemoryKey) }))
}

export function getKeeperTheme(keeperId: string): string | undefined {
  return readThemeMemory().keepers?.[keeperId]
}

/** Lets theme.js apply the keeper's theme from the first paint; `undefined` follows the person's theme. */
export function rememberKeeperTheme(keeperId: string, slug: string | undefined): void {
  const memory = readThemeMemory()
  if (memory.keepers?.[keeperId] !== slug)
    storeThemeMemory({ ...memory, keepers: { ...memory.keepers, [keeperId]: slug } })
}

function storeThemeMemory(memory: ThemeMemory): void {
  writeSetting(themeMemoryKey, JSON.stringify(memory))
}

/** Stylesheet themes need only their slug; others bring their colors. */
export type NamedTheme = Pick<ServerTheme, 'slug'> & Partial<ServerTheme>

export function rememberTheme(theme: NamedTheme): void {
  writeThemeMemory({ ...toThemeMemory(theme), keepers: readThemeMemory().keepers })
}

/** Applies a theme without storing it; `null` returns to the stored one. */
export function previewTheme(theme: NamedTheme | null): void {
  dispatchEvent(new CustomEvent('keeper-theme', { detail: theme ? toThemeMemory(theme) : null }))
}

function toThemeMemory({ slug, light, dark, basis }: NamedTheme): ThemeMemory {
  const isInStylesheet = builtInThemes.some((builtIn) => builtIn.slug === slug)
  const hasOwnColors = !isInStylesheet && light && dark
  return {
    slug,
    mode: readThemeMemory().mode,
    colours: hasOwnColors ? { light: toThemeVariables(light, basis), dark: toThemeVariables(dark, basis) } : undefined,
    basis: (hasOwnColors && basis) || undefined,
  }
}
