import { truncate } from '#contract/truncate.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import { truncationMark } from '#server/agents/tools/result-for-model.ts'

/** All items together; leaves room in the limit of a tool result for its other text. */
const maxCharacters = 48_000

/** Skips items that exceed the remaining space. The first is always included, cut if necessary. */
export function limitItems(items: readonly PromptItem[], format: (item: PromptItem) => string): PromptItem[] {
  let remaining = maxCharacters
  return items.flatMap((item, index) => {
    const fittedItem = index === 0 ? cutToFit(item, format) : item
    const length = format(fittedItem).length
    if (length > remaining) return []
    remaining -= length
    return fittedItem
  })
}

function cutToFit(item: PromptItem, format: (item: PromptItem) => string): PromptItem {
  let fittedItem = item
  // Formatting marks each line, so the final length is only known afterwards.
  for (
    let cutLength = maxCharacters;
    format(fittedItem).length > maxCharacters;
    cutLength = Math.floor(cutLength * 0.9)
  )
    fittedItem = { ...item, text: `${truncate(item.text, cutLength)}\n${truncationMark}` }
  return fittedItem
}
