import { useQueryClient } from '@tanstack/react-query'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { ApiError, call } from '#web/api.ts'
import { defaultTheme } from '#web/theme/theme-colours.ts'
import { readThemeMemory } from '#web/theme/theme-memory.ts'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { showToast } from '#web/ui/show-toast.tsx'
import { themesKey } from './theme-queries.ts'

const undoMilliseconds = 10_000

/** Deletes a theme with 10 seconds to undo; undoing also reapplies it if it was in use. */
export function useDeleteTheme(onFailure: (text: string) => void) {
  const queries = useQueryClient()
  const { applyTheme } = useTheme()
  const told = (reason: unknown, text: string) => onFailure((reason instanceof ApiError && reason.told) || text)
  const reload = () => queries.invalidateQueries({ queryKey: themesKey })

  async function restore(theme: Theme, wasWorn: boolean) {
    try {
      const back = await call(themes.restore, { params: { themeId: theme.id } })
      if (wasWorn) applyTheme(back)
      await reload()
    } catch (reason) {
      told(reason, `${theme.name} couldn’t be restored. Try again from the library.`)
    }
  }

  return async (theme: Theme) => {
    try {
      await call(themes.remove, { params: { themeId: theme.id } })
    } catch (reason) {
      return told(reason, `${theme.name} couldn’t be deleted. Try again.`)
    }
    const wasWorn = readThemeMemory().slug === theme.slug
    if (wasWorn) applyTheme(defaultTheme)
    await reload()
    await showToast(wasWorn ? `Deleted ${theme.name}. Keeper Classic is in use again.` : `Deleted ${theme.name}.`, {
      staysMilliseconds: undoMilliseconds,
      onUndo: () => void restore(theme, wasWorn),
    })
  }
}
