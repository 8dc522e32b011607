import { truncate } from '#contract/truncate.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { cutHere } from '#server/agents/tools/result-for-model.ts'

/** All items together; leaves room in the limit of a tool result for its other text. */
const mostCharacters = 48_000

/** Skips items that exceed the remaining space. The first is always included, cut if necessary. */
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
  // Formatting marks each line, so the final length is only known afterwards.
  for (let most = mostCharacters; told(shown).length > mostCharacters; most = Math.floor(most * 0.9))
    shown = { ...item, text: `${truncate(item.text, most)}\n${cutHere}` }
  return shown
}
