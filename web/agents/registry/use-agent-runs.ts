import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { logsKey } from '../agent-queries.ts'
import { type RunOutcome, runAgent } from '../runs/run-agent.ts'
import type { RunUnderWay } from '../runs/runs-under-way.tsx'

/** Active runs started from cards, and a queue of outcomes to show. Leaving the page stops neither; the logs have them. */
export function useAgentRuns() {
  const queries = useQueryClient()
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const [underWay, setUnderWay] = useState<RunUnderWay[]>([])
  const [outcomes, setOutcomes] = useState<RunOutcome[]>([])
  const left = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    left.current = controller
    return () => controller.abort()
  }, [])

  const run = useCallback(
    async (agent: Agent) => {
      const signal = left.current?.signal
      if (!signal) return
      const others = (before: RunUnderWay[]) => before.filter((each) => each.agent.id !== agent.id)
      setRunning((before) => new Set(before).add(agent.id))
      const outcome = await runAgent(agent, {
        signal,
        onView: (view) => setUnderWay((before) => [...others(before), { agent, view }].toSorted(byBeginning)),
      })
      if (signal.aborted) return
      setRunning((before) => new Set([...before].filter((id) => id !== agent.id)))
      setUnderWay(others)
      setOutcomes((before) => [...before, outcome])
      void queries.invalidateQueries({ queryKey: logsKey })
    },
    [queries],
  )
  const dismiss = useCallback(() => setOutcomes((before) => before.slice(1)), [])
  const isRunning = useCallback((agentId: string) => running.has(agentId), [running])
  return { run, isRunning, underWay, outcome: outcomes[0], dismiss }
}

const byBeginning = (a: RunUnderWay, b: RunUnderWay) => a.view.since - b.view.since
