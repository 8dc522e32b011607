import { plainColour } from '#contract/themes/plain-colour.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { builtInThemes, defaultTheme, type ThemeMode, variableOf } from '#web/theme/theme-colours.ts'
import { type Colours, pairs } from './contrast.ts'

const names = [...new Set([...themeKeys, ...pairs.flatMap(({ ink, ground }) => [ink, ground])])]

/** Whose rules of the stylesheet a theme wears: its own, or those of its basis, which then fills what it does not bring. */
export function sheetOf({ slug, basis }: Pick<Theme, 'slug' | 'basis'>): string {
  return builtInThemes.some((builtIn) => builtIn.slug === slug) ? slug : (basis ?? defaultTheme.slug)
}

/** Every colour that a theme paints with, those that it does not bring too, as the stylesheet says them. */
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
