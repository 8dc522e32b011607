import type { captureSources, MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { createFreeKey } from '#web/catalog/free-key.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

export type CaptureSource = (typeof captureSources)[number]
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
  captureFrom: CaptureSource[]
  minAgeHours: number
  keepsStory: boolean
}

export const sourceNames: Record<CaptureSource, string> = {
  reflection: 'Reflections',
  moment: 'Moments',
  voice: 'Voice entries',
  logbook: 'Logbook entries',
}
export const sectionKindLabels: Record<DraftSection['kind'], string> = {
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
  sections: pattern.sections.map((section, index) => ({ ...section, row: `${index}` })),
  captureFrom: pattern.captureFrom,
  minAgeHours: pattern.promote.minAgeHours,
  keepsStory: pattern.keepsStory,
})

export function toPatternBody({ name, description, sections, captureFrom, minAgeHours, keepsStory }: PatternValues) {
  const usedKeys = new Set(sections.map(({ key }) => key).filter(Boolean))
  return {
    name: name.trim(),
    description: description.trim(),
    sections: sections.map(({ key: existingKey, title, kind }) => {
      const key = existingKey || createFreeKey(title, usedKeys, 'section')
      usedKeys.add(key)
      return { key, title: title.trim(), kind }
    }),
    captureFrom,
    promote: { minAgeHours, needsHuman: true as const },
    keepsStory,
  }
}
