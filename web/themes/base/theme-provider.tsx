import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { defaultTheme, type ServerTheme, type ThemeMode } from './theme-colors.ts'
import { type ModeChoice, type NamedTheme, readThemeMemory, rememberTheme, writeThemeMemory } from './theme-memory.ts'

export interface ThemeProviderProps {
  /** `undefined` while loading: the stored theme stays. */
  signedIn: boolean | undefined
  /** GET /api/kam/settings → preferred_theme_id; `null` without a preference. */
  fetchPreferredThemeId: () => Promise<string | null | undefined>
  /** GET /api/themes/{id} → data. */
  fetchTheme: (id: string) => Promise<ServerTheme | null | undefined>
  children: ReactNode
}

export interface ThemeState {
  slug: string
  mode: ThemeMode
  /** The person's choice; 'system' follows the device. */
  modeChoice: ModeChoice
  setModeChoice: (mode: ModeChoice) => void
  /** Applies a theme; the caller saves the preference. */
  applyTheme: (theme: NamedTheme) => void
}

const ThemeContext = createContext<ThemeState | null>(null)

/** Starts with the stored theme; signed in, applies the preferred one, or the default on any failure. */
export function ThemeProvider({ signedIn, fetchPreferredThemeId, fetchTheme, children }: ThemeProviderProps) {
  const [memory, setMemory] = useState(readThemeMemory)
  const mode = useSyncExternalStore(onThemePainted, getPaintedMode, () => 'light' as const)

  const applyTheme = useCallback((theme: NamedTheme) => {
    rememberTheme(theme)
    setMemory(readThemeMemory())
  }, [])
  const setModeChoice = useCallback((choice: ModeChoice) => {
    writeThemeMemory({ ...readThemeMemory(), mode: choice })
    setMemory(readThemeMemory())
  }, [])

  useEffect(() => {
    if (signedIn === undefined) return
    let isCurrent = true
    const preferredTheme = signedIn
      ? loadPreferredTheme(fetchPreferredThemeId, fetchTheme)
      : Promise.resolve(defaultTheme)
    preferredTheme.then((theme) => {
      if (!isCurrent) return
      // Keeper themes of one person must not apply to another.
      if (!signedIn) writeThemeMemory({ ...readThemeMemory(), keepers: undefined })
      applyTheme(theme)
    })
    return () => {
      isCurrent = false
    }
  }, [signedIn, fetchPreferredThemeId, fetchTheme, applyTheme])

  const state = useMemo(
    () => ({ slug: memory.slug, mode, modeChoice: memory.mode, setModeChoice, applyTheme }),
    [memory, mode, setModeChoice, applyTheme],
  )
  return <ThemeContext value={state}>{children}</ThemeContext>
}

export function useTheme(): ThemeState {
  const state = use(ThemeContext)
  if (!state) throw new Error('useTheme is used outside of ThemeProvider')
  return state
}

async function loadPreferredTheme(
  fetchPreferredThemeId: ThemeProviderProps['fetchPreferredThemeId'],
  fetchTheme: ThemeProviderProps['fetchTheme'],
): Promise<ServerTheme | typeof defaultTheme> {
  try {
    const id = await fetchPreferredThemeId()
    if (!id) return defaultTheme
    const theme = await fetchTheme(id)
    if (!theme) throw new Error(`Theme ${id} came without data`)
    return theme
  } catch (reason) {
    console.error('The preferred theme could not be loaded', reason)
    return defaultTheme
  }
}

/** Calls the listener whenever theme.js applies a theme; returns the unsubscribe function. */
export function onThemePainted(listener: () => void): () => void {
  addEventListener('keeper-theme-painted', listener)
  return () => removeEventListener('keeper-theme-painted', listener)
}

function getPaintedMode(): ThemeMode {
  return document.documentElement.dataset.mode === 'dark' ? 'dark' : 'light'
}
