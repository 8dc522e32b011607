import {
  accepts,
  type EngagementPattern,
  engagementPatterns,
  frameTypes,
  isFrameType,
  whatItTakes,
} from '#contract/boards/frame-types.ts'

const hints: Record<EngagementPattern, string> = {
  dialogic: 'A conversation, with its subject next to it.',
  wizard: 'Step by step: a process shows the current step, and a panel is filled in along the way.',
  canvas: 'Everything stays where you put it.',
  focus: 'One thing at a time, as large as possible.',
  gallery: 'Pictures side by side, to browse.',
  form: 'Settings to fill in, one below the other.',
}

export const fittingPatterns = (frameType: string): EngagementPattern[] =>
  engagementPatterns.filter((pattern) => accepts(pattern, frameType))

/** Why a frame can't have a pattern, or undefined. */
export function slotProblem(pattern: EngagementPattern, frameType: string): string | undefined {
  if (accepts(pattern, frameType)) return undefined
  return `${whatItTakes(pattern)}; ${frameType} fits ${inWords(fittingPatterns(frameType))}.`
}

export function assistHint(pattern: EngagementPattern, frameType: string): string {
  const facts = isFrameType(frameType) ? frameTypes[frameType] : undefined
  if (!facts) return hints[pattern]
  if (!accepts(pattern, frameType)) {
    return `${hints[pattern]} A ${facts.name} doesn’t work here. Try ${inWords(fittingPatterns(frameType), 'or')}.`
  }
  if (pattern === facts.pattern) return `${hints[pattern]} A ${facts.name} works best here.`
  return `${hints[pattern]} A ${facts.name}? It works here too, but best in ${facts.pattern}.`
}

function inWords(words: readonly string[], last = 'and'): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
