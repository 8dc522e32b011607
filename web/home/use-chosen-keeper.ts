import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

/** The keeper last written in from the home page. */
const lastKeeperKey = 'keeper-home-keeper'

export const rememberKeeper = (id: string) => writeSetting(lastKeeperKey, id)

/** The remembered keeper, else the one written in last. */
export function pickKeeper<K extends Pick<Keeper, 'id' | 'lastEntryAt' | 'createdAt'>>(
  keepers: readonly K[],
  rememberedId: string | null,
): K | undefined {
  const byLastEntry = keepers.toSorted((a, b) =>
    (b.lastEntryAt ?? b.createdAt).localeCompare(a.lastEntryAt ?? a.createdAt),
  )
  return keepers.find(({ id }) => id === rememberedId) ?? byLastEntry[0]
}

/** Stays with the same keeper while others are written in. The sample isn't offered: its entries are deleted with it. */
export function useChosenKeeper(keepers: readonly Keeper[] | undefined) {
  const [chosenId, setChosenId] = useState(() => readSetting(lastKeeperKey))
  const writableKeepers = (keepers ?? []).filter((candidate) => !isSampleKeeper(candidate))
  const keeper = pickKeeper(writableKeepers, chosenId)
  if (keeper && keeper.id !== chosenId) setChosenId(keeper.id)
  return {
    keeper,
    writableKeepers,
    choose(id: string) {
      rememberKeeper(id)
      setChosenId(id)
    },
  }
}
