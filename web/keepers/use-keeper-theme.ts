import { useEffect, useLayoutEffect } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { defaultTheme } from '#web/themes/base/theme-colors.ts'
import { getKeeperTheme, previewTheme, rememberKeeperTheme } from '#web/themes/base/theme-memory.ts'

/** The last known theme avoids a flash while the keeper is loading (`undefined`). */
export function useKeeperTheme(id: string, keeper: Pick<Keeper, 'theme'> | null | undefined): void {
  const isLoaded = keeper !== undefined
  const chosenTheme = isLoaded ? getChosenTheme(keeper?.theme) : getKeeperTheme(id)
  useEffect(() => {
    if (isLoaded) rememberKeeperTheme(id, chosenTheme)
  }, [isLoaded, id, chosenTheme])
  useLayoutEffect(() => previewTheme(chosenTheme === undefined ? null : { slug: chosenTheme }), [chosenTheme])
  useLayoutEffect(() => () => previewTheme(null), [])
}

/** New keepers have the default theme, which counts as not chosen. */
export function getChosenTheme(slug: string | undefined): string | undefined {
  return slug === defaultTheme.slug ? undefined : slug
}
