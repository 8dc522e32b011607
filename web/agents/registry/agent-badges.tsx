import type { AgentClass, AgentStatus } from '#contract/agents/agent-constants.ts'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'

const statusTones: Record<AgentStatus, BadgeTone> = { ready: 'success', 'in-progress': 'info', error: 'destructive' }

export function ClassBadge({ agentClass }: { agentClass: AgentClass }) {
  return <Badge>{agentClass}</Badge>
}

export function StatusBadge({ status }: { status: AgentStatus }) {
  return (
    <Badge tone={statusTones[status] ?? 'neutral'} dot>
      {status}
    </Badge>
  )
}
