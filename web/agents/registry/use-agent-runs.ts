import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { logsKey } from '../agent-queries.ts'
import { type RunOutcome, runAgent } from '../runs/run-agent.ts'
import type { ActiveRun } from '../runs/running-agents.tsx'

/** Active runs started from cards, and a queue of outcomes to show. Leaving the page stops neither; the logs have them. */
export function useAgentRuns() {
  const queryClient = useQueryClient()
  const [runningIds, setRunningIds] = useState<ReadonlySet<string>>(new Set())
  const [activeRuns, setActiveRuns] = useState<ActiveRun[]>([])
  const [outcomes, setOutcomes] = useState<RunOutcome[]>([])
  const controllerRef = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    controllerRef.current = controller
    return () => controller.abort()
  }, [])

  const run = useCallback(
    async (agent: Agent) => {
      const signal = controllerRef.current?.signal
      if (!signal) return
      const removeAgent = (previous: ActiveRun[]) => previous.filter((activeRun) => activeRun.agent.id !== agent.id)
      setRunningIds((previous) => new Set(previous).add(agent.id))
      const outcome = await runAgent(agent, {
        signal,
        onView: (view) =>
          setActiveRuns((previous) => [...removeAgent(previous), { agent, view }].toSorted(compareByStart)),
      })
      if (signal.aborted) return
      setRunningIds((previous) => new Set([...previous].filter((id) => id !== agent.id)))
      setActiveRuns(removeAgent)
      setOutcomes((previous) => [...previous, outcome])
      void queryClient.invalidateQueries({ queryKey: logsKey })
    },
    [queryClient],
  )
  const dismiss = useCallback(() => setOutcomes((previous) => previous.slice(1)), [])
  const isRunning = useCallback((agentId: string) => runningIds.has(agentId), [runningIds])
  return { run, isRunning, activeRuns, outcome: outcomes[0], dismiss }
}

const compareByStart = (a: ActiveRun, b: ActiveRun) => a.view.startedAt - b.view.startedAt
