import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { agents } from '#contract/agents/agents.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { agentsKey } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { useAgentEditing } from './agent-editor.tsx'

export function StatusNotice() {
  const { agent } = useAgentEditing()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  if (!agent) return null
  const { id, status } = agent

  async function setReady() {
    setBusy(true)
    setError(undefined)
    try {
      await call(agents.update, { body: { id, status: 'ready' } })
      await queryClient.invalidateQueries({ queryKey: agentsKey })
    } catch (reason) {
      setError(getReasonText(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" busy={busy} onClick={setReady}>
          Set to ready
        </Button>
      }
    >
      {error ??
        (status === 'error'
          ? 'This agent is set to error and won’t run. Fix the cause, then set it to ready.'
          : `This agent is set to ${status} and won’t run. Set it to ready when it can run again.`)}
    </Banner>
  )
}
