import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { diffSnapshots } from '#contract/agents/version-changes.ts'
import { type AgentSnapshot, versions } from '#contract/agents/versions.ts'
import { ApiError, call } from '#web/api/api.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { agentsKey } from '../agent-queries.ts'
import { FieldChanges } from './field-changes.tsx'

export interface RestoreDialogProps {
  agent: Agent
  version: number
  unsaved: boolean
  onClose: () => void
  onRestored: (agent: Agent, notes: string[], version: number) => void
}

export function RestoreDialog({ agent, version, unsaved, onClose, onRestored }: RestoreDialogProps) {
  const [error, setError] = useState<string>()
  const params = { agentId: agent.id, version }
  const { data, error: loadError } = useQuery({
    queryKey: [...agentsKey, 'version', agent.id, version],
    queryFn: ({ signal }) => call(versions.show, { params, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  // The status isn’t restored.
  const changes = data && diffSnapshots(toSnapshot(agent, data.snapshot), { ...data.snapshot, status: agent.status })

  async function restore() {
    setError(undefined)
    try {
      const { agent: restoredAgent, notes } = await call(versions.restore, { params })
      onRestored(restoredAgent, notes, version)
    } catch (reason) {
      const fields = reason instanceof ApiError ? Object.values(reason.fields ?? {}) : []
      setError(fields.join(' ') || (reason instanceof Error && reason.message) || 'The version couldn’t be restored.')
      throw reason
    }
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Restore version ${version}?`}
      confirmLabel="Restore"
      busyLabel="Restoring..."
      tone="primary"
      onConfirm={restore}
      error={error}
    >
      <p>The restored version is saved as a new one. The versions in between stay in the list.</p>
      {unsaved && <p className="mt-2 font-label">Changes since the last save are discarded.</p>}
      <div className="mt-3 max-h-[45dvh] overflow-y-auto rounded-md border border-hairline px-3 py-2.5">
        {loadError && <p className="text-destructive">{loadError.message}</p>}
        {!data && !loadError && <Skeleton className="h-16" />}
        {changes &&
          (changes.length > 0 ? (
            <FieldChanges changes={changes} />
          ) : (
            <p>This version is identical to the current one.</p>
          ))}
      </div>
    </ConfirmDialog>
  )
}

function toSnapshot(agent: Agent, reference: AgentSnapshot): AgentSnapshot {
  const fields = Object.keys(reference).map((field) => [field, agent[field as keyof AgentSnapshot]])
  return Object.fromEntries(fields) as AgentSnapshot
}
