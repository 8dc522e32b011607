import type { ReactNode } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'

const patternTones: Record<string, BadgeTone> = { sole: 'ribbon', crmtimeline: 'info' }

export interface KeeperTypeCardProps {
  type: KeeperType
  action?: ReactNode
}

export function KeeperTypeCard({ type, action }: KeeperTypeCardProps) {
  const { engagement_templates: templates, Keeper: keepers } = type._count
  return (
    <Card className="flex h-full flex-col gap-2">
      <div className="flex items-start gap-2">
        <h3 className="min-w-0 flex-1 font-serif text-h3 wrap-break-word">{type.name}</h3>
        {action}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Badge tone={patternTones[type.memoryPattern.toLowerCase()] ?? 'neutral'}>{type.memoryPattern}</Badge>
        {type.system && <Badge tone="outlined">System</Badge>}
      </div>
      {type.description && <p className="text-ui text-muted-foreground wrap-break-word">{type.description}</p>}
      <p className="mt-auto pt-1 text-small text-muted-foreground tabular-nums">
        {pluralize(templates, 'template')}, {pluralize(keepers, 'active keeper', 'active keepers')}
      </p>
    </Card>
  )
}
