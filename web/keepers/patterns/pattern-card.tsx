import type { ReactNode } from 'react'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { CatalogCard } from '#web/catalog/catalog-cards.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { sectionKindLabels, sourceNames } from './pattern-values.ts'

interface PatternCardProps {
  pattern: Pick<
    MemoryPattern,
    'name' | 'description' | 'system' | 'sections' | 'captureFrom' | 'promote' | 'keepsStory'
  >
  /** The number of keepers that use the pattern; absent in the preview of the form. */
  count?: number
  actions?: ReactNode
}

export function PatternCard({ pattern, count, actions }: PatternCardProps) {
  const { name, description, system, sections, captureFrom, promote, keepsStory } = pattern
  return (
    <CatalogCard
      name={name}
      description={description}
      system={system}
      usage={count === undefined ? undefined : { count, noun: 'keeper' }}
      actions={actions}
    >
      <p className="text-small">
        {keepsStory ? 'Keeps one standing story (SOLE).' : 'Keeps no standing story (SOLE).'}
      </p>
      {sections.length > 0 && (
        <ul aria-label="Sections" className="list-disc ps-4 text-small">
          {sections.map((section) => (
            <li key={section.key} className="wrap-break-word">
              {section.title} ({sectionKindLabels[section.kind].toLowerCase()})
            </li>
          ))}
        </ul>
      )}
      <p className="text-small text-muted-foreground">
        {captureFrom.length > 0 &&
          `Taken from ${captureFrom.map((source) => sourceNames[source].toLowerCase()).join(', ')}. `}
        Entries are suggested for memory after {pluralize(promote.minAgeHours, 'hour')}; a person approves them.
      </p>
    </CatalogCard>
  )
}
