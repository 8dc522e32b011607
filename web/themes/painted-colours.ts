import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { builtInThemes, defaultTheme, getVariableName, type ThemeMode } from '#web/themes/base/theme-colors.ts'
import { type Colours, contrastPairs } from './contrast.ts'

const colorNames = [...new Set([...themeKeys, ...contrastPairs.flatMap(({ ink, ground }) => [ink, ground])])]

/** The built-in theme whose stylesheet applies: the theme itself, or its basis for a custom theme. */
export function getStylesheetSlug({ slug, basis }: Pick<Theme, 'slug' | 'basis'>): string {
  return builtInThemes.some((builtIn) => builtIn.slug === slug) ? slug : (basis ?? defaultTheme.slug)
}

/** All colors a theme renders with, including those from the stylesheet. */
export function getPaintedColors(theme: Pick<Theme, 'slug' | 'light' | 'dark' | 'basis'>, mode: ThemeMode): Colours {
  return { ...readStylesheetColors(getStylesheetSlug(theme), mode), ...theme[mode] }
}

const colorCache = new Map<string, Colours>()

function readStylesheetColors(slug: string, mode: ThemeMode): Colours {
  const key = `${slug} ${mode}`
  const cached = colorCache.get(key)
  if (cached) return cached
  const box = document.createElement('div')
  Object.assign(box.dataset, { theme: slug, mode })
  box.hidden = true
  document.body.append(box)
  const style = getComputedStyle(box)
  const entries = colorNames.flatMap((name) => {
    const colour = normalizeColor(style.getPropertyValue(getVariableName(name)))
    return colour ? [[name, colour] as const] : []
  })
  box.remove()
  const colours = Object.fromEntries(entries)
  colorCache.set(key, colours)
  return colours
}
