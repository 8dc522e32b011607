import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { createMockAnswer, isSampleAgent } from '#contract/samples/sample-agents.ts'
import { logsKey } from '../agent-queries.ts'
import { type FollowedRun, openRun } from '../runs/run-store.ts'
import { createRunView, type RunView, toMockView } from '../runs/run-view.ts'

export const testInput = 'Say in one or two sentences what you are for.'

export interface ActiveRun {
  agent: Agent
  run: FollowedRun
}

export interface RunOutcome {
  agent: Agent
  input: string
  view: RunView
}

export interface RunInputState {
  openAgentId: string | undefined
  onOpen: (agent: Agent | undefined) => void
  onRun: (agent: Agent, input: string) => void
}

/** Test runs started from cards, and a queue of outcomes to show. They continue in the logs when the page is left. */
export function useTestRuns() {
  const queryClient = useQueryClient()
  const [activeRuns, setActiveRuns] = useState<ActiveRun[]>([])
  const [openAgentId, setOpenAgentId] = useState<string>()
  const [outcomes, setOutcomes] = useState<RunOutcome[]>([])

  const run = useCallback(
    async (agent: Agent, input: string) => {
      const createAnswer = () => createMockAnswer(agent, input)
      const addOutcome = (view: RunView) => setOutcomes((previous) => [...previous, { agent, input, view }])
      if (isSampleAgent(agent)) return addOutcome(toMockView(createRunView(), createAnswer()))
      const activeRun = { agent, run: openRun({ agentId: agent.id, input }, createAnswer) }
      setActiveRuns((previous) => [...previous, activeRun])
      await activeRun.run.finished
      setActiveRuns((previous) => previous.filter((otherRun) => otherRun !== activeRun))
      addOutcome(activeRun.run.getSnapshot())
      void queryClient.invalidateQueries({ queryKey: logsKey })
    },
    [queryClient],
  )
  const dismiss = useCallback(() => setOutcomes((previous) => previous.slice(1)), [])
  const isRunning = (agentId: string) => activeRuns.some(({ agent }) => agent.id === agentId)
  const runInput: RunInputState = { openAgentId, onOpen: (agent) => setOpenAgentId(agent?.id), onRun: run }
  return { runInput, isRunning, activeRuns, outcome: outcomes[0], dismiss }
}
