import type { ReactNode } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { themes } from '#contract/themes/themes.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { ApiError, call } from '#web/api/api.ts'
import { builtInThemes } from '#web/themes/base/theme-colors.ts'
import { readThemeMemory } from '#web/themes/base/theme-memory.ts'
import { ThemeProvider } from '#web/themes/base/theme-provider.tsx'

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

/** An invalid token has no preference; the sign-out that follows reports it. */
async function fetchPreferredThemeId() {
  try {
    const { preferred_theme_id } = await call(accounts.settings)
    // Deleted or unshared by its owner. Remembering the default makes the notice show once.
    if (!preferred_theme_id && !builtInThemes.some(({ slug }) => slug === readThemeMemory().slug))
      void import('./theme-unavailable.ts').then(({ notifyThemeUnavailable }) => notifyThemeUnavailable())
    return preferred_theme_id
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 401) return null
    throw reason
  }
}

function fetchTheme(themeId: string) {
  return call(themes.show, { params: { themeId } })
}
