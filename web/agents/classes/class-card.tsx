import type { ReactNode } from 'react'
import type { AgentClassEntry } from '#contract/agents/agent-classes.ts'
import { CatalogCard } from '#web/catalog/catalog-cards.tsx'
import { Seal } from '#web/ui/drawings/seal.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'

interface ClassCardProps {
  entry: Pick<AgentClassEntry, 'name' | 'description' | 'system' | 'base' | 'defaults'>
  count?: number
  actions?: ReactNode
}

export function ClassCard({ entry, count, actions }: ClassCardProps) {
  const { name, description, system, base, defaults } = entry
  const details = [
    defaults.model_provider && [defaults.model_provider, defaults.model_settings?.model].filter(Boolean).join(' '),
    defaults.context_scope !== undefined && `scope ${defaults.context_scope || 'General'}`,
    defaults.memory_enabled && 'remembers',
    defaults.visibility,
    defaults.tools?.length && defaults.tools.join(', '),
  ].filter(Boolean)
  return (
    <CatalogCard
      name={name}
      description={description}
      system={system}
      seal={<Seal name={name || base} kind={base} size={34} />}
      usage={count === undefined ? undefined : { count, noun: 'agent' }}
      actions={actions}
    >
      <p className="flex flex-wrap gap-1.5">
        {!system && <Badge tone="outlined">behaves as {base}</Badge>}
        {base === 'Persona' && <Badge tone="warning">Coming soon</Badge>}
      </p>
      {details.length > 0 && (
        <p className="font-mono text-code text-muted-foreground wrap-anywhere">{details.join(' · ')}</p>
      )}
    </CatalogCard>
  )
}
