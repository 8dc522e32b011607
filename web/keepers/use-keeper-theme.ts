import { useEffect, useLayoutEffect } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { defaultTheme } from '#web/theme/theme-colours.ts'
import { previewTheme, rememberedKeeperTheme, rememberKeeperTheme } from '#web/theme/theme-memory.ts'

/**
 * While it is open the page wears the theme that somebody chose for the keeper; until the keeper is known (`undefined`)
 * the one it wore the last time, so that nothing flashes. Where nobody chose one, it wears the person's own.
 * `shown`: in place of that, what is just being chosen.
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

/** A keeper is made with the default, which nobody picked. */
export function chosenTheme(slug: string | undefined): string | undefined {
  return slug === defaultTheme.slug ? undefined : slug
}
