import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { logsKey } from '../agent-queries.ts'
import { type RunOutcome, runAgent } from '../runs/run-agent.ts'

/** Runs begun from cards: which are under way, and the outcomes still to be told, first come first told. */
export function useAgentRuns() {
  const queries = useQueryClient()
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const [outcomes, setOutcomes] = useState<RunOutcome[]>([])

  const run = useCallback(
    async (agent: Agent) => {
      setRunning((before) => new Set(before).add(agent.id))
      const outcome = await runAgent(agent)
      setRunning((before) => new Set([...before].filter((id) => id !== agent.id)))
      setOutcomes((before) => [...before, outcome])
      void queries.invalidateQueries({ queryKey: logsKey })
    },
    [queries],
  )
  const dismiss = useCallback(() => setOutcomes((before) => before.slice(1)), [])
  const isRunning = useCallback((agentId: string) => running.has(agentId), [running])
  return { run, isRunning, outcome: outcomes[0], dismiss }
}
