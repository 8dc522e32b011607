import { useEffect, useLayoutEffect } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { defaultTheme } from '#web/theme/theme-colours.ts'
import { previewTheme, rememberedKeeperTheme, rememberKeeperTheme } from '#web/theme/theme-memory.ts'

/** The last known theme avoids a flash while the keeper is loading (`undefined`). */
export function useKeeperTheme(
  id: string,
  keeper: Pick<Keeper, 'theme'> | null | undefined,
  previewSlug?: string,
): void {
  const isLoaded = keeper !== undefined
  const chosen = isLoaded ? getChosenTheme(keeper?.theme) : rememberedKeeperTheme(id)
  const activeSlug = previewSlug === undefined ? chosen : getChosenTheme(previewSlug)
  useEffect(() => {
    if (isLoaded) rememberKeeperTheme(id, chosen)
  }, [isLoaded, id, chosen])
  useLayoutEffect(() => previewTheme(activeSlug === undefined ? null : { slug: activeSlug }), [activeSlug])
  useLayoutEffect(() => () => previewTheme(null), [])
}

/** New keepers have the default theme, which counts as not chosen. */
export function getChosenTheme(slug: string | undefined): string | undefined {
  return slug === defaultTheme.slug ? undefined : slug
}
