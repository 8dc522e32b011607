import type { ReactNode } from 'react'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { pluralize } from '#web/ui/pluralize.ts'
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
    <Card className="flex h-full w-full flex-col gap-2">
      <div className="flex items-start gap-2">
        <h3 className="min-w-0 flex-1 wrap-break-word">{name || 'No name yet'}</h3>
        <Badge tone={system ? 'neutral' : 'info'}>{system ? 'System' : 'Custom'}</Badge>
      </div>
      {description && (
        <p className="text-ui text-muted-foreground whitespace-pre-line wrap-break-word">{description}</p>
      )}
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
      {(count !== undefined || actions) && (
        <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
          {count !== undefined && (
            <span className="flex-1 text-small">
              <strong className="tabular-nums">{count}</strong> {count === 1 ? 'keeper' : 'keepers'}
            </span>
          )}
          {actions}
        </div>
      )}
    </Card>
  )
}
