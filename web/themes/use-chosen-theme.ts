import { useRef, useState, useSyncExternalStore } from 'react'
import { accounts } from '#contract/accounts/accounts.ts'
import type { Theme } from '#contract/themes/themes.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { defaultTheme } from '#web/themes/base/theme-colors.ts'
import { readThemeMemory } from '#web/themes/base/theme-memory.ts'
import { onThemePainted, useTheme } from '#web/themes/base/theme-provider.tsx'

export function useChosenTheme() {
  const { applyTheme } = useTheme()
  const slug = useSyncExternalStore(onThemePainted, () => readThemeMemory().slug)
  const [failure, setFailure] = useState<string>()
  // The last theme saved on the server; only the newest choice falls back to it.
  const savedTheme = useRef<Theme | typeof defaultTheme>(undefined)
  const latestChoice = useRef(0)
  // Requests are serialized, so that the last choice wins.
  const requestQueue = useRef<Promise<unknown>>(Promise.resolve())

  async function choose(theme: Theme, previous: Theme | undefined): Promise<boolean> {
    latestChoice.current += 1
    const choice = latestChoice.current
    savedTheme.current ??= previous ?? defaultTheme
    setFailure(undefined)
    applyTheme(theme)
    const request = requestQueue.current.then(() =>
      call(accounts.updateSettings, { body: { preferred_theme_id: theme.id } }),
    )
    requestQueue.current = request.catch(() => undefined)
    try {
      await request
      savedTheme.current = theme
      return true
    } catch (reason) {
      if (choice !== latestChoice.current) return false
      const fallback = savedTheme.current
      applyTheme(fallback)
      const detail = getServerMessage(reason) ?? 'The server couldn’t be reached.'
      setFailure(`${theme.name} couldn’t be saved as your theme, so ${fallback.name} is back. ${detail}`)
      return false
    }
  }

  return { slug, choose, failure, dismissFailure: () => setFailure(undefined) }
}
