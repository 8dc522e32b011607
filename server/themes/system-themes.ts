import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { shippedSlugs, themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import tokens from '#contract/themes/tokens.json' with { type: 'json' }

export const systemThemes: Theme[] = tokens.themes.map((theme) => ({
  id: theme.slug,
  slug: theme.slug,
  name: theme.name,
  note: theme.note,
  light: pickCoreKeys(theme.light),
  dark: pickCoreKeys(theme.dark),
  basis: shippedSlugs.find((slug) => slug === theme.slug) ?? null,
  system: true,
  mine: false,
  visibility: 'public',
  rev: 1,
}))

function pickCoreKeys(colors: Record<string, unknown>): Theme['light'] {
  return Object.fromEntries(themeKeys.map((key) => [key, normalizeColor(String(colors[key]))])) as Theme['light']
}

export function findSystemTheme(slug: string): Theme | undefined {
  return systemThemes.find((theme) => theme.slug === slug)
}
