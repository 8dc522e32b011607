import { plainColour } from '#contract/themes/plain-colour.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { builtInThemes, defaultTheme, type ThemeMode, variableOf } from '#web/theme/theme-colours.ts'
import { type Colours, pairs } from './contrast.ts'

const names = [...new Set([...themeKeys, ...pairs.flatMap(({ ink, ground }) => [ink, ground])])]

/** The built-in theme whose stylesheet applies: the theme itself, or its basis for a custom theme. */
export function sheetOf({ slug, basis }: Pick<Theme, 'slug' | 'basis'>): string {
  return builtInThemes.some((builtIn) => builtIn.slug === slug) ? slug : (basis ?? defaultTheme.slug)
}

/** All colors a theme renders with, including those from the stylesheet. */
export function paintedColours(theme: Pick<Theme, 'slug' | 'light' | 'dark' | 'basis'>, mode: ThemeMode): Colours {
  return { ...inksOf(sheetOf(theme), mode), ...theme[mode] }
}

const known = new Map<string, Colours>()

function inksOf(slug: string, mode: ThemeMode): Colours {
  const key = `${slug} ${mode}`
  const before = known.get(key)
  if (before) return before
  const box = document.createElement('div')
  Object.assign(box.dataset, { theme: slug, mode })
  box.hidden = true
  document.body.append(box)
  const style = getComputedStyle(box)
  const found = names.flatMap((name) => {
    const colour = plainColour(style.getPropertyValue(variableOf(name)))
    return colour ? [[name, colour] as const] : []
  })
  box.remove()
  const colours = Object.fromEntries(found)
  known.set(key, colours)
  return colours
}
