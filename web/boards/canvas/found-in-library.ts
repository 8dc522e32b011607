import { type FrameCategory, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'

export type ChosenCategory = FrameCategory | 'all'

/** Searches name and description, ignoring case, within the exact category. */
export function foundInLibrary(types: readonly FrameType[], words: string, category: ChosenCategory): FrameType[] {
  const wanted = words.trim().toLowerCase()
  return types.filter((type) => {
    const facts = frameTypes[type]
    if (category !== 'all' && facts.category !== category) return false
    return facts.name.toLowerCase().includes(wanted) || facts.description.toLowerCase().includes(wanted)
  })
}
