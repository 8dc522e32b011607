import type { CSSProperties, ReactNode } from 'react'
import type { Theme } from '#contract/themes/themes.ts'
import { type ThemeMode, themeVariables } from '#web/theme/theme-colours.ts'
import { getStylesheetSlug } from './painted-colours.ts'

interface ThemedBoxProps {
  theme: Pick<Theme, 'slug' | 'light' | 'dark' | 'basis'>
  mode: ThemeMode
  className?: string
  children: ReactNode
}

export function ThemedBox({ theme, mode, className, children }: ThemedBoxProps) {
  const sheet = getStylesheetSlug(theme)
  const brought = sheet === theme.slug ? undefined : (themeVariables(theme[mode], theme.basis) as CSSProperties)
  return (
    <div data-theme={sheet} data-mode={mode} style={brought} className={className}>
      {children}
    </div>
  )
}
