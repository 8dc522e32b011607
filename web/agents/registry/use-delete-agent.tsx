import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { call } from '#web/api/api.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { agentsKey } from '../agent-queries.ts'
import { createAgentDraft } from '../form/agent-draft.ts'
import { getReasonText } from '../runs/reason-text.ts'

export function useDeleteAgent(onDeleted: (agent: Agent) => void) {
  const queryClient = useQueryClient()
  const [agent, setAgent] = useState<Agent>()
  const [error, setError] = useState<string>()

  async function remove(agentToDelete: Agent) {
    setError(undefined)
    try {
      await call(agents.remove, { query: { id: agentToDelete.id }, body: { id: agentToDelete.id } })
    } catch (reason) {
      setError(getReasonText(reason, 'Failed to delete agent'))
      throw reason
    }
    createAgentDraft(agentToDelete).clear()
    onDeleted(agentToDelete)
    await queryClient.invalidateQueries({ queryKey: agentsKey })
  }

  const dialog = agent && (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (open) return
        setAgent(undefined)
        setError(undefined)
      }}
      title={`Delete ${agent.name}?`}
      confirmLabel="Delete Agent"
      busyLabel="Deleting..."
      onConfirm={() => remove(agent)}
      error={error}
    >
      Are you sure you want to delete {agent.name}? This action cannot be undone and will permanently remove the agent
      and all its data.
    </ConfirmDialog>
  )
  return { confirmDelete: setAgent, dialog }
}
