import { Check, type LucideIcon, X } from 'lucide-react'
import type { RunStatus } from '#contract/agents/runs.ts'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'

const runStatusTones: Record<RunStatus, BadgeTone> = {
  running: 'info',
  success: 'success',
  error: 'destructive',
  stopped: 'neutral',
  interrupted: 'destructive',
}

const statusIcons: Partial<Record<RunStatus, LucideIcon>> = { success: Check, error: X, interrupted: X }

/** Marks an answer that no model gave. */
export function MockBadge({ className }: { className?: string }) {
  return (
    <Badge tone="warning" className={className}>
      Mock answer
    </Badge>
  )
}

export function RunStatusBadge({ status }: { status: RunStatus }) {
  const Icon = statusIcons[status]
  return (
    <Badge
      tone={runStatusTones[status] ?? 'neutral'}
      dot={status === 'running'}
      icon={Icon && <Icon aria-hidden size={11} strokeWidth={2.4} />}
    >
      {status}
    </Badge>
  )
}
