import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { agents } from '#contract/agents/agents.ts'
import { call } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { agentsKey } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'
import { useAgentEditing } from './agent-editor.tsx'

/** An agent in error runs again once who may edit it says that it is fixed. */
export function StatusNotice() {
  const { agent, adopt } = useAgentEditing()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  if (!agent) return null
  const { id } = agent

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
      {error ?? 'This agent is in error and does not run. When the reason is gone, set it to ready.'}
    </Banner>
  )
}
