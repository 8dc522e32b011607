import { type FrameCategory, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import { createTextFilter } from '#contract/search/search-query.ts'

export type ChosenCategory = FrameCategory | 'all'

/** Searches name and description within the exact category. */
export function searchLibrary(types: readonly FrameType[], query: string, category: ChosenCategory): FrameType[] {
  const isMatch = createTextFilter(query)
  return types.filter((type) => {
    const definition = frameTypes[type]
    if (category !== 'all' && definition.category !== category) return false
    return isMatch(definition.name, definition.description)
  })
}
