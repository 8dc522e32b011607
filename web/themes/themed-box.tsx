import type { CSSProperties, ReactNode } from 'react'
import { normalizeColor } from '#contract/themes/normalize-color.ts'
import { themeKeys } from '#contract/themes/theme-keys.ts'
import type { Theme } from '#contract/themes/themes.ts'
import {
  builtInThemes,
  defaultTheme,
  getVariableName,
  type ThemeMode,
  toThemeVariables,
} from '#web/themes/base/theme-colors.ts'
import { type Colors, contrastPairs } from './contrast.ts'

interface ThemedBoxProps {
  theme: Pick<Theme, 'slug' | 'light' | 'dark' | 'basis'>
  mode: ThemeMode
  className?: string
  children: ReactNode
}

export function ThemedBox({ theme, mode, className, children }: ThemedBoxProps) {
  const stylesheetSlug = getStylesheetSlug(theme)
  const variables =
    stylesheetSlug === theme.slug ? undefined : (toThemeVariables(theme[mode], theme.basis) as CSSProperties)
  return (
    <div data-theme={stylesheetSlug} data-mode={mode} style={variables} className={className}>
      {children}
    </div>
  )
}

const colorNames = [
  ...new Set([...themeKeys, ...contrastPairs.flatMap(({ foreground, background }) => [foreground, background])]),
]

/** The built-in theme whose stylesheet applies: the theme itself, or its basis for a custom theme. */
function getStylesheetSlug({ slug, basis }: Pick<Theme, 'slug' | 'basis'>): string {
  return builtInThemes.some((builtIn) => builtIn.slug === slug) ? slug : (basis ?? defaultTheme.slug)
}

/** All colors a theme renders with, including those from the stylesheet. */
export function getPaintedColors(theme: Pick<Theme, 'slug' | 'light' | 'dark' | 'basis'>, mode: ThemeMode): Colors {
  return { ...readStylesheetColors(getStylesheetSlug(theme), mode), ...theme[mode] }
}

const colorCache = new Map<string, Colors>()

function readStylesheetColors(slug: string, mode: ThemeMode): Colors {
  const key = `${slug} ${mode}`
  const cached = colorCache.get(key)
  if (cached) return cached
  const box = document.createElement('div')
  Object.assign(box.dataset, { theme: slug, mode })
  box.hidden = true
  document.body.append(box)
  const style = getComputedStyle(box)
  const entries = colorNames.flatMap((name) => {
    const color = normalizeColor(style.getPropertyValue(getVariableName(name)))
    return color ? [[name, color] as const] : []
  })
  box.remove()
  const colors = Object.fromEntries(entries)
  colorCache.set(key, colors)
  return colors
}
