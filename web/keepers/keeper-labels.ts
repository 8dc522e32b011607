import type { Keeper, wizardKeeperTypes, wizardMemoryPatterns } from '#contract/keepers/keepers.ts'
import { formMemoryPatterns, memoryBehaviour } from '#contract/keepers/keepers.ts'

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

/** What a memory pattern is called; a made one by its own word. */
export const patternLabel = (pattern: string) => patternLabels[pattern.toLowerCase()] ?? pattern

/** Also of what this browser kept before the server said it. */
export const keepsStory = (keeper: Pick<Keeper, 'memoryPattern' | 'keepsStory'>) =>
  keeper.keepsStory ?? memoryBehaviour(keeper.memoryPattern) === 'sole'

const sayings = {
  sole: 'One standing story, drafted from what you keep.',
  journal: 'By date. No standing story.',
  tracker: 'By topic. No standing story.',
  palace: 'By place. No standing story.',
}

/** What a pattern does, in a few words; a made one says it itself. */
export function sayingOf(pattern: string, made: readonly { value: string; description: string }[]): string | undefined {
  const behaviour = memoryBehaviour(pattern)
  return behaviour ? sayings[behaviour] : made.find(({ value }) => value === pattern)?.description
}

/** The options of a form, those that people made, and the pattern it has now when that is another word. */
export function patternOptions(present: string, made: readonly { value: string; label: string }[] = []) {
  const known = [
    ...formMemoryPatterns.map((value) => ({ value: value as string, label: patternLabel(value) })),
    ...made,
  ]
  const isKnown = present === '' || known.some(({ value }) => value === present)
  return isKnown ? known : [...known, { value: present, label: patternLabel(present) }]
}

export const wizardTypes: Record<(typeof wizardKeeperTypes)[number], { title: string; description: string }> = {
  journal: { title: 'Journal', description: 'The days as they were lived, in the order they came.' },
  project: { title: 'Project', description: 'What was decided, done and left open on the way to one goal.' },
  educational: { title: 'Educational', description: 'What was learned, as one account that grows with it.' },
  professional: { title: 'Professional', description: 'People, meetings and promises of a working life.' },
  wellness: { title: 'Wellness', description: 'How body and mind are doing, and what does them good.' },
  custom: { title: 'Custom', description: 'Whatever has no place in the other types.' },
}

export const wizardPatterns: Record<(typeof wizardMemoryPatterns)[number], { title: string; description: string }> = {
  chronological: { title: 'Chronological', description: 'By date, as a journal does. No standing story.' },
  associative: {
    title: 'Associative',
    description: 'By what belongs together: one standing story, drafted from what you keep.',
  },
  hierarchical: {
    title: 'Hierarchical',
    description: 'By topic: what you keep stands under what it is about. No standing story.',
  },
  spatial: { title: 'Spatial', description: 'By place: what happened stands where it happened. No standing story.' },
}
