import type { ReactNode } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { themes } from '#contract/themes/themes.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { ApiError, call } from '#web/api.ts'
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

/** A dead token is nobody's preference: the sign-out that follows says all there is to say. */
async function fetchPreferredThemeId() {
  try {
    return (await call(accounts.settings)).preferred_theme_id
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 401) return null
    throw reason
  }
}

function fetchTheme(themeId: string) {
  return call(themes.show, { params: { themeId } })
}
