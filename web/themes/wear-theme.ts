import { accounts } from '#contract/accounts/accounts.ts'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { call } from '#web/api.ts'
import { defaultTheme, type ServerTheme } from '#web/theme/theme-colours.ts'
import { readThemeMemory } from '#web/theme/theme-memory.ts'
import { showToast } from '#web/ui/show-toast.tsx'
import { measure } from './contrast.ts'
import { paintedColours } from './painted-colours.ts'

type Apply = (theme: ServerTheme) => void

const wayBackMilliseconds = 20_000

/** Saves a theme (ID or slug) as the person's and applies it. */
export async function wearTheme(themeId: string, apply: Apply): Promise<void> {
  const before = readThemeMemory().slug
  const theme = await call(themes.show, { params: { themeId } })
  await call(accounts.updateSettings, { body: { preferred_theme_id: theme.id } })
  apply(theme)
  offerWayBack(theme, () => void wearTheme(before, apply).catch(tell))
}

/** Offers Undo in fixed, readable colors after a hard-to-read theme was applied. */
export function offerWayBack(theme: Theme, back: () => void, undoLabel?: string): boolean {
  const failing = (['light', 'dark'] as const).some((mode) =>
    measure(paintedColours(theme, mode)).some(({ passes }) => !passes),
  )
  if (failing)
    void showToast(`${theme.name} has colors that are hard to read. Undo?`, {
      onUndo: back,
      ...(undoLabel !== undefined && { undoLabel }),
      staysMilliseconds: wayBackMilliseconds,
      readable: true,
    })
  return failing
}

export function offerDefault(theme: Theme, apply: Apply): boolean {
  return offerWayBack(theme, () => void wearTheme(defaultTheme.slug, apply).catch(tell), `Use ${defaultTheme.name}`)
}

function tell(reason: unknown): void {
  void showToast(reason instanceof Error ? reason.message : String(reason))
}
