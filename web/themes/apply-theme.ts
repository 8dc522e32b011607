import { accounts } from '#contract/accounts/accounts.ts'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { call } from '#web/api/api.ts'
import { defaultTheme, type ServerTheme } from '#web/themes/base/theme-colors.ts'
import { readThemeMemory } from '#web/themes/base/theme-memory.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { measureContrast } from './contrast.ts'
import { themeModes } from './theme-values.ts'
import { getPaintedColors } from './themed-box.tsx'

type ApplyTheme = (theme: ServerTheme) => void

const undoToastMs = 20_000

export async function saveAndApplyTheme(themeIdOrSlug: string, apply: ApplyTheme): Promise<void> {
  const previousSlug = readThemeMemory().slug
  const theme = await call(themes.show, { params: { themeId: themeIdOrSlug } })
  await call(accounts.updateSettings, { body: { preferred_theme_id: theme.id } })
  apply(theme)
  offerUndo(theme, () => void saveAndApplyTheme(previousSlug, apply).catch(showFailure))
}

/** Offers Undo in fixed, readable colors after a hard-to-read theme was applied. */
export function offerUndo(theme: Theme, undo: () => void, undoLabel?: string): boolean {
  const hasFailingPair = themeModes.some((mode) =>
    measureContrast(getPaintedColors(theme, mode)).some(({ passes }) => !passes),
  )
  if (hasFailingPair)
    void showToast(withNames`${theme.name} has colors that are hard to read. Undo?`, {
      onUndo: undo,
      ...(undoLabel !== undefined && { undoLabel }),
      durationMs: undoToastMs,
      usesClassicColors: true,
    })
  return hasFailingPair
}

export function offerDefaultTheme(theme: Theme, apply: ApplyTheme): boolean {
  return offerUndo(
    theme,
    () => void saveAndApplyTheme(defaultTheme.slug, apply).catch(showFailure),
    `Use ${defaultTheme.name}`,
  )
}

function showFailure(reason: unknown): void {
  void showToast(getErrorMessage(reason))
}
