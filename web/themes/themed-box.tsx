import type { CSSProperties, ReactNode } from 'react'
import type { Theme } from '#contract/themes/themes.ts'
import { type ThemeMode, toThemeVariables } from '#web/themes/base/theme-colors.ts'
import { getStylesheetSlug } from './painted-colors.ts'

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
