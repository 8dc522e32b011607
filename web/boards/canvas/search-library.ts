import { type FrameCategory, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'

export type ChosenCategory = FrameCategory | 'all'

/** Searches name and description, ignoring case, within the exact category. */
export function searchLibrary(types: readonly FrameType[], query: string, category: ChosenCategory): FrameType[] {
  const needle = query.trim().toLowerCase()
  return types.filter((type) => {
    const definition = frameTypes[type]
    if (category !== 'all' && definition.category !== category) return false
    return definition.name.toLowerCase().includes(needle) || definition.description.toLowerCase().includes(needle)
  })
}
