import {
  acceptsFrame,
  describeAcceptedFrames,
  type EngagementPattern,
  engagementPatterns,
  frameTypes,
  isFrameType,
} from '#contract/boards/frame-types.ts'

const assistHints: Record<EngagementPattern, string> = {
  dialogic: 'A conversation with its subject next to it.',
  wizard: 'Step by step: a process shows the current step, and you fill in a panel as you go.',
  canvas: 'Everything stays where you put it.',
  focus: 'One thing at a time, as large as possible.',
  gallery: 'Pictures side by side, to browse.',
  form: 'Settings to fill in, one below the other.',
}

export const getFittingPatterns = (frameType: string): EngagementPattern[] =>
  engagementPatterns.filter((pattern) => acceptsFrame(pattern, frameType))

/** Why a frame can't have a pattern, or undefined. */
export function toSlotProblem(pattern: EngagementPattern, frameType: string): string | undefined {
  if (acceptsFrame(pattern, frameType)) return undefined
  return `${describeAcceptedFrames(pattern)}; ${frameType} works in ${formatList(getFittingPatterns(frameType))}.`
}

export function getAssistHint(pattern: EngagementPattern, frameType: string): string {
  const definition = isFrameType(frameType) ? frameTypes[frameType] : undefined
  if (!definition) return assistHints[pattern]
  if (!acceptsFrame(pattern, frameType)) {
    return `${assistHints[pattern]} ${definition.name} doesn’t work here. Try ${formatList(getFittingPatterns(frameType), 'or')}.`
  }
  if (pattern === definition.pattern) return `${assistHints[pattern]} ${definition.name} works best here.`
  return `${assistHints[pattern]} ${definition.name} works here too, but works best in ${definition.pattern}.`
}

function formatList(items: readonly string[], last = 'and'): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
}
