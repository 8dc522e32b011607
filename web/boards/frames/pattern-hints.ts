import {
  acceptsFrame,
  describePatternMismatch,
  type EngagementPattern,
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

/** Why a frame can't have a pattern, or undefined. */
export function getPatternProblem(pattern: EngagementPattern, frameType: string): string | undefined {
  return acceptsFrame(pattern, frameType) ? undefined : describePatternMismatch(pattern, frameType)
}

export function getAssistHint(pattern: EngagementPattern, frameType: string): string {
  const definition = isFrameType(frameType) ? frameTypes[frameType] : undefined
  if (!definition) return assistHints[pattern]
  if (!acceptsFrame(pattern, frameType)) return `${assistHints[pattern]} ${describePatternMismatch(pattern, frameType)}`
  if (pattern === definition.pattern) return `${assistHints[pattern]} ${definition.name} works best here.`
  return `${assistHints[pattern]} ${definition.name} works here too, but works best in ${definition.pattern}.`
}
