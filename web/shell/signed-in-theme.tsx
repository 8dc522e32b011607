import type { ReactNode } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import { themes } from '#contract/themes/themes.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { ApiError, call } from '#web/api.ts'
import { builtInThemes } from '#web/theme/theme-colours.ts'
import { readThemeMemory } from '#web/theme/theme-memory.ts'
import { ThemeProvider } from '#web/theme/theme-provider.tsx'
import { showToast } from '#web/ui/show-toast.tsx'

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
    const { preferred_theme_id } = await call(accounts.settings)
    // Whoever made it deleted it or keeps it for themselves. The memory is the default's from here on, so it is told once.
    if (!preferred_theme_id && !builtInThemes.some(({ slug }) => slug === readThemeMemory().slug))
      void showToast('The theme you used is no longer there, so you see Keeper Classic.')
    return preferred_theme_id
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 401) return null
    throw reason
  }
}

function fetchTheme(themeId: string) {
  return call(themes.show, { params: { themeId } })
}
