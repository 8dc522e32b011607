import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { agents } from '#contract/agents/agents.ts'
import { call } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { agentsKey } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'
import { useAgentEditing } from './agent-editor.tsx'

/** An agent that is not ready runs again once who may edit it says that it is fixed. */
export function StatusNotice() {
  const { agent, adopt } = useAgentEditing()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  if (!agent) return null
  const { id, status } = agent

  async function setReady() {
    setBusy(true)
    setError(undefined)
    try {
      adopt(await call(agents.update, { body: { id, status: 'ready' } }))
      await queries.invalidateQueries({ queryKey: agentsKey })
    } catch (reason) {
      setError(reasonText(reason))
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
          ? 'This agent is in error and does not run. When the reason is gone, set it to ready.'
          : `This agent is ${status} and does not run. When nothing is the matter with it any more, set it to ready.`)}
    </Banner>
  )
}
