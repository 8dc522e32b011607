import {
  accepts,
  type EngagementPattern,
  engagementPatterns,
  frameTypes,
  isFrameType,
  whatItTakes,
} from '#contract/boards/frame-types.ts'

const hints: Record<EngagementPattern, string> = {
  dialogic: 'A conversation, with what it is about beside it.',
  wizard: 'One step after the other: a process says where one is, a panel is filled in on the way.',
  canvas: 'Everything lies where you put it.',
  focus: 'One thing at a time, as large as it goes.',
  gallery: 'Pictures side by side, to look through.',
  form: 'Settings below each other, to be filled in.',
}

/** The patterns whose slots take a frame of this type. */
export const fittingPatterns = (frameType: string): EngagementPattern[] =>
  engagementPatterns.filter((pattern) => accepts(pattern, frameType))

/** Why a frame may not have a pattern, naming what the pattern takes; `undefined` when it may. */
export function slotProblem(pattern: EngagementPattern, frameType: string): string | undefined {
  if (accepts(pattern, frameType)) return undefined
  return `${whatItTakes(pattern)}; ${frameType} fits ${inWords(fittingPatterns(frameType))}.`
}

/** One or two sentences on what the pattern is for, and whether this frame is at home in it. */
export function assistHint(pattern: EngagementPattern, frameType: string): string {
  const facts = isFrameType(frameType) ? frameTypes[frameType] : undefined
  if (!facts) return hints[pattern]
  if (!accepts(pattern, frameType)) {
    return `${hints[pattern]} A ${facts.name} is no part of that: try ${inWords(fittingPatterns(frameType), 'or')}.`
  }
  if (pattern === facts.pattern) return `${hints[pattern]} A ${facts.name} is at home here.`
  return `${hints[pattern]} A ${facts.name} fits; it is most at home in ${facts.pattern}.`
}

function inWords(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
