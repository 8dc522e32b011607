import { useMutation, useQueryClient } from '@tanstack/react-query'
import { agents } from '#contract/agents/agents.ts'
import { versions } from '#contract/agents/versions.ts'
import { call } from '#web/api/api.ts'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { agentsKey } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'

interface SavedAgent {
  id: string
  name: string
  rev: number
}

export function useSwitchModel({ id, name, rev }: SavedAgent) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ model, goldenRunId }: { model: string; goldenRunId?: string | undefined }) =>
      call(agents.update, { body: { id, model, golden_run_id: goldenRunId }, ifMatch: rev }),
    onSuccess(_, { model }) {
      void showToast(withNames`${name} now uses ${model}.`, { onUndo: undo, durationMs: 10_000 })
    },
    onError: (reason) => void showToast(getReasonText(reason, 'Failed to update agent')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: agentsKey }),
  })

  async function undo() {
    try {
      await call(versions.restore, { params: { agentId: id, version: rev } })
    } catch (reason) {
      void showToast(getReasonText(reason, 'Failed to update agent'))
    }
    await queryClient.invalidateQueries({ queryKey: agentsKey })
  }
}
