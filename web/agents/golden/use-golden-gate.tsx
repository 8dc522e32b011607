import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { type AgentFormValues, toAgentBody } from '../form/agent-form-values.ts'
import { affectsAnswers } from './affects-answers.ts'

const GoldenGate = lazy(() => import('./golden-gate.tsx'))

export type SaveAgent = (values: AgentFormValues, goldenRunId?: string) => Promise<void>

export interface PendingSave {
  agent: Agent
  values: AgentFormValues
  count: number
}

export function useGoldenGate(agent: Agent | null, save: SaveAgent) {
  const queryClient = useQueryClient()
  const [pendingSave, setPendingSave] = useState<PendingSave>()

  async function saveOrConfirm(values: AgentFormValues): Promise<void> {
    const count = agent && affectsAnswers(agent, toAgentBody(values, agent.config)) ? await countQuestions(agent) : 0
    if (agent && count > 0) setPendingSave({ agent, values, count })
    else await save(values)
  }

  /** Refetched, since chats can add questions. If that fails, saving continues without them. */
  async function countQuestions({ id }: Agent): Promise<number> {
    try {
      const { goldenQuestionsQuery } = await import('./golden-queries.ts')
      const questions = await queryClient.fetchQuery({ ...goldenQuestionsQuery(id), retry: false, staleTime: 5000 })
      return questions.length
    } catch {
      return 0
    }
  }

  const gate = pendingSave && (
    <Suspense fallback={null}>
      <GoldenGate {...pendingSave} save={save} onClose={() => setPendingSave(undefined)} />
    </Suspense>
  )
  return { saveOrConfirm, gate }
}
