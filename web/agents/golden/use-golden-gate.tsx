import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Agent, NewAgent } from '#contract/agents/agents.ts'
import { withLeadAppearance } from '#contract/agents/lead-appearance.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import { type AgentFormValues, toAgentBody } from '../form/agent-form-values.ts'

const answerFields = [
  'purpose',
  'agent_class',
  'context_scope',
  'tools',
  'config',
  'model_provider',
  'model_settings',
] as const

/** Whether the changes affect how the agent answers; a new name doesn’t. */
export function affectsAnswers(agent: Agent, values: NewAgent): boolean {
  const [next, previous] = [withLeadStyle(values), withLeadStyle(agent)]
  return answerFields.some((field) => !isSame(next[field], previous[field]))
}

/** Leads saved without style settings have the defaults that the form shows. */
function withLeadStyle<Saved extends Pick<NewAgent, 'agent_class' | 'config'>>(agent: Saved): Saved {
  return { ...agent, config: withLeadAppearance(agent.agent_class ?? 'Standard', agent.config ?? {}) }
}

/** Compares as JSON regardless of key order; missing equals undefined. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => compareStrings(one, other))
      .map(([key, nested]) => [key, sortKeys(nested)]),
  )
}

const GoldenGate = lazy(() => import('./golden-gate.tsx'))

export type SaveAgent = (goldenRunId?: string) => Promise<unknown>

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
    else await save()
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
