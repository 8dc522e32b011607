import { truncate } from '#contract/truncate.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { cutHere } from '#server/agents/tools/result-for-model.ts'

/** Of all items as they are told; with what a result says beside them it stays below what of one is told at most. */
const mostCharacters = 48_000

/**
 * The items a result has room for, in their order: one that is too long is left out for others that are not. The first is
 * told in any case, as much of its beginning as fits.
 */
export function itemsThatFit(found: readonly PromptItem[], told: (item: PromptItem) => string): PromptItem[] {
  let left = mostCharacters
  return found.flatMap((item, place) => {
    const shown = place === 0 ? beginningOf(item, told) : item
    const length = told(shown).length
    if (length > left) return []
    left -= length
    return shown
  })
}

function beginningOf(item: PromptItem, told: (item: PromptItem) => string): PromptItem {
  let shown = item
  // Told, each line is marked: how long it gets is seen only then.
  for (let most = mostCharacters; told(shown).length > mostCharacters; most = Math.floor(most * 0.9))
    shown = { ...item, text: `${truncate(item.text, most)}\n${cutHere}` }
  return shown
}
