import { useRef, useState, useSyncExternalStore } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { ApiError, call } from '#web/api.ts'
import { defaultTheme } from '#web/theme/theme-colours.ts'
import { readThemeMemory } from '#web/theme/theme-memory.ts'
import { onThemePainted, useTheme } from '#web/theme/theme-provider.tsx'

export function useChosenTheme() {
  const { applyTheme } = useTheme()
  const slug = useSyncExternalStore(onThemePainted, () => readThemeMemory().slug)
  const [failure, setFailure] = useState<string>()
  // The last theme saved on the server; only the newest choice falls back to it.
  const saved = useRef<Theme | typeof defaultTheme>(undefined)
  const newest = useRef(0)
  // Requests are serialized, so that the last choice wins.
  const sending = useRef<Promise<unknown>>(Promise.resolve())

  async function choose(theme: Theme, previous: Theme | undefined): Promise<boolean> {
    newest.current += 1
    const choice = newest.current
    saved.current ??= previous ?? defaultTheme
    setFailure(undefined)
    applyTheme(theme)
    const sent = sending.current.then(() => call(accounts.updateSettings, { body: { preferred_theme_id: theme.id } }))
    sending.current = sent.catch(() => undefined)
    try {
      await sent
      saved.current = theme
      return true
    } catch (reason) {
      if (choice !== newest.current) return false
      const fallback = saved.current
      applyTheme(fallback)
      const detail = (reason instanceof ApiError && reason.serverMessage) || 'The server couldn’t be reached.'
      setFailure(`${theme.name} couldn’t be saved as your theme, so ${fallback.name} is back. ${detail}`)
      return false
    }
  }

  return { slug, choose, failure, dismissFailure: () => setFailure(undefined) }
}
