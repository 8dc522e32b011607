import type { ReactNode } from 'react'
import type { AgentClassEntry } from '#contract/agents/agent-classes.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { Seal } from '#web/ui/drawings/seal.tsx'

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
    <Card className="flex h-full w-full flex-col gap-2">
      <div className="flex items-start gap-3">
        <Seal name={name || base} kind={base} size={34} />
        <h3 className="min-w-0 flex-1 wrap-break-word">{name || 'No name yet'}</h3>
        <Badge tone={system ? 'neutral' : 'info'}>{system ? 'System' : 'Custom'}</Badge>
      </div>
      {description && (
        <p className="text-ui text-muted-foreground whitespace-pre-line wrap-break-word">{description}</p>
      )}
      <p className="flex flex-wrap gap-1.5">
        {!system && <Badge tone="outlined">behaves as {base}</Badge>}
        {base === 'Persona' && <Badge tone="warning">Coming soon</Badge>}
      </p>
      {details.length > 0 && (
        <p className="font-mono text-code text-muted-foreground wrap-anywhere">{details.join(' · ')}</p>
      )}
      {(count !== undefined || actions) && (
        <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
          {count !== undefined && (
            <span className="flex-1 text-small">
              <strong className="tabular-nums">{count}</strong> {count === 1 ? 'agent' : 'agents'}
            </span>
          )}
          {actions}
        </div>
      )}
    </Card>
  )
}
