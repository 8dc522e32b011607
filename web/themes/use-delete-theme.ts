import { useQueryClient } from '@tanstack/react-query'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { defaultTheme } from '#web/themes/base/theme-colors.ts'
import { readThemeMemory } from '#web/themes/base/theme-memory.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { themesKey } from './theme-queries.ts'

const undoToastMs = 10_000

export function useDeleteTheme(onFailure: (text: string) => void) {
  const queryClient = useQueryClient()
  const { applyTheme } = useTheme()
  const reportFailure = (reason: unknown, text: string) => onFailure(getServerMessage(reason) ?? text)
  const reload = () => queryClient.invalidateQueries({ queryKey: themesKey })

  async function restore(theme: Theme, wasInUse: boolean) {
    try {
      const restored = await call(themes.restore, { params: { themeId: theme.id } })
      if (wasInUse) applyTheme(restored)
      await reload()
    } catch (reason) {
      reportFailure(reason, `${theme.name} couldn’t be restored. Try again from the library.`)
    }
  }

  return async (theme: Theme) => {
    try {
      await call(themes.remove, { params: { themeId: theme.id } })
    } catch (reason) {
      return reportFailure(reason, `${theme.name} couldn’t be deleted. Try again.`)
    }
    const wasInUse = readThemeMemory().slug === theme.slug
    if (wasInUse) applyTheme(defaultTheme)
    await reload()
    await showToast(wasInUse ? `Deleted ${theme.name}. Keeper Classic is in use again.` : `Deleted ${theme.name}.`, {
      durationMs: undoToastMs,
      onUndo: () => void restore(theme, wasInUse),
    })
  }
}
