import type { captureSources, MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { trimEndMatching } from '#contract/trim-end.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

export type Source = (typeof captureSources)[number]
export interface DraftSection {
  row: string
  key: string
  title: string
  kind: MemoryPattern['sections'][number]['kind']
}
export interface PatternValues {
  name: string
  description: string
  sections: DraftSection[]
  captureFrom: Source[]
  minAgeHours: number
  keepsStory: boolean
}

export const sourceNames: Record<Source, string> = {
  reflection: 'Reflections',
  moment: 'Moments',
  voice: 'Voice entries',
  logbook: 'Logbook entries',
}
export const sectionKinds: Record<DraftSection['kind'], string> = {
  text: 'Text',
  list: 'List',
  timeline: 'Timeline',
  map: 'Map',
}

export const createSection = (): DraftSection => ({ row: createClientId(), key: '', title: '', kind: 'text' })
export const blankPattern: PatternValues = {
  name: '',
  description: '',
  sections: [],
  captureFrom: ['reflection'],
  minAgeHours: 24,
  keepsStory: false,
}
export const toPatternValues = (pattern: MemoryPattern): PatternValues => ({
  name: pattern.name,
  description: pattern.description,
  sections: pattern.sections.map((section) => ({ ...section, row: createClientId() })),
  captureFrom: pattern.captureFrom,
  minAgeHours: pattern.promote.minAgeHours,
  keepsStory: pattern.keepsStory,
})

export function toPatternBody({ name, description, sections, captureFrom, minAgeHours, keepsStory }: PatternValues) {
  const taken = new Set(sections.map(({ key }) => key).filter(Boolean))
  return {
    name: name.trim(),
    description: description.trim(),
    sections: sections.map(({ key: present, title, kind }) => {
      const key = present || findFreeKey(title, taken)
      taken.add(key)
      return { key, title: title.trim(), kind }
    }),
    captureFrom,
    promote: { minAgeHours, needsHuman: true as const },
    keepsStory,
  }
}

function findFreeKey(title: string, taken: ReadonlySet<string>): string {
  const spelled = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
  const base = trimEndMatching(spelled, /_/).slice(0, 34) || 'section'
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}_${number}`
    if (!taken.has(key)) return key
  }
}
