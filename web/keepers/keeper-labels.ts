import type { Keeper, wizardKeeperTypes, wizardMemoryPatterns } from '#contract/keepers/keepers.ts'
import { formMemoryPatterns, getMemoryBehavior } from '#contract/keepers/keepers.ts'

const patternLabels: Record<string, string> = {
  sole: 'SOLE',
  crmtimeline: 'CRM Timeline',
  journal: 'Journal',
  tracker: 'Tracker',
  palace: 'Palace',
  chronological: 'Chronological',
  associative: 'Associative',
  hierarchical: 'Hierarchical',
  spatial: 'Spatial',
}

export const getPatternLabel = (pattern: string) => patternLabels[pattern.toLowerCase()] ?? pattern

/** Falls back to the pattern for keepers cached before the server sent `keepsStory`. */
export const hasStandingStory = (keeper: Pick<Keeper, 'memoryPattern' | 'keepsStory'>) =>
  keeper.keepsStory ?? getMemoryBehavior(keeper.memoryPattern) === 'sole'

const patternDescriptions = {
  sole: 'One standing story, drafted from what you keep.',
  journal: 'By date. No standing story.',
  tracker: 'By topic. No standing story.',
  palace: 'By place. No standing story.',
}

export function describePattern(
  pattern: string,
  customPatterns: readonly { value: string; description: string }[],
): string | undefined {
  const behavior = getMemoryBehavior(pattern)
  return behavior ? patternDescriptions[behavior] : customPatterns.find(({ value }) => value === pattern)?.description
}

/** Built-in and custom patterns, plus the current one when it is neither. */
export function getPatternOptions(
  currentPattern: string,
  customPatterns: readonly { value: string; label: string }[] = [],
) {
  const options = [
    ...formMemoryPatterns.map((value) => ({ value: value as string, label: getPatternLabel(value) })),
    ...customPatterns,
  ]
  const isListed = currentPattern === '' || options.some(({ value }) => value === currentPattern)
  return isListed ? options : [...options, { value: currentPattern, label: getPatternLabel(currentPattern) }]
}

export const wizardTypes: Record<(typeof wizardKeeperTypes)[number], { title: string; description: string }> = {
  journal: { title: 'Journal', description: 'Your days as you lived them, in order.' },
  project: { title: 'Project', description: 'Decisions, progress and open questions on the way to a goal.' },
  educational: { title: 'Educational', description: 'What you learn, in one account that grows with you.' },
  professional: { title: 'Professional', description: 'The people, meetings and promises of your working life.' },
  wellness: { title: 'Wellness', description: 'How your body and mind are doing, and what helps.' },
  custom: { title: 'Custom', description: 'Anything the other types don’t cover.' },
}

export const wizardPatterns: Record<(typeof wizardMemoryPatterns)[number], { title: string; description: string }> = {
  chronological: { title: 'Chronological', description: 'By date, as a journal does. No standing story.' },
  associative: {
    title: 'Associative',
    description: 'By what belongs together: one standing story, drafted from what you keep.',
  },
  hierarchical: {
    title: 'Hierarchical',
    description: 'By topic: entries are filed under what they’re about. No standing story.',
  },
  spatial: { title: 'Spatial', description: 'By place: entries are filed where they happened. No standing story.' },
}
