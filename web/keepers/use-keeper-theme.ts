import { useEffect, useLayoutEffect } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { defaultTheme } from '#web/theme/theme-colours.ts'
import { previewTheme, rememberedKeeperTheme, rememberKeeperTheme } from '#web/theme/theme-memory.ts'

/**
 * Applies the keeper's theme to the page. While the keeper is loading (`undefined`) the last known theme avoids a flash.
 * Without a chosen theme the page uses the person's own. `previewSlug` overrides it while choosing.
 */
export function useKeeperTheme(id: string, keeper: Pick<Keeper, 'theme'> | null | undefined, shown?: string): void {
  const isKnown = keeper !== undefined
  const chosen = isKnown ? chosenTheme(keeper?.theme) : rememberedKeeperTheme(id)
  const worn = shown === undefined ? chosen : chosenTheme(shown)
  useEffect(() => {
    if (isKnown) rememberKeeperTheme(id, chosen)
  }, [isKnown, id, chosen])
  useLayoutEffect(() => previewTheme(worn === undefined ? null : { slug: worn }), [worn])
  useLayoutEffect(() => () => previewTheme(null), [])
}

/** New keepers have the default theme, which counts as not chosen. */
export function chosenTheme(slug: string | undefined): string | undefined {
  return slug === defaultTheme.slug ? undefined : slug
}
