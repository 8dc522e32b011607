import { Check, X } from 'lucide-react'
import type { RunStatus } from '#contract/agents/runs.ts'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'

const statusTones: Record<RunStatus, BadgeTone> = {
  running: 'info',
  success: 'success',
  error: 'destructive',
  stopped: 'neutral',
  interrupted: 'destructive',
}

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const icon =
    status === 'success' ? (
      <Check aria-hidden size={11} strokeWidth={2.4} />
    ) : status === 'error' || status === 'interrupted' ? (
      <X aria-hidden size={11} strokeWidth={2.4} />
    ) : undefined
  return (
    <Badge tone={statusTones[status] ?? 'neutral'} dot={status === 'running'} icon={icon}>
      {status}
    </Badge>
  )
}
