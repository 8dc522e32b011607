import type { ReactNode } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { themes } from '#contract/themes/themes.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { call } from '#web/api.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'

export function SignedInTheme({ children }: { children: ReactNode }) {
  const { isAuthenticated, isLoading } = useAuth()
  return (
    <ThemeProvider
      signedIn={isLoading ? undefined : isAuthenticated}
      fetchPreferredThemeId={fetchPreferredThemeId}
      fetchTheme={fetchTheme}
    >
      {children}
    </ThemeProvider>
  )
}

async function fetchPreferredThemeId() {
  return (await call(accounts.settings)).preferred_theme_id
}

function fetchTheme(themeId: string) {
  return call(themes.show, { params: { themeId } })
}
