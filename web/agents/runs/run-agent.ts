import type { Agent } from '#contract/agents/agents.ts'
import { createMockAnswer, isSampleAgent } from '#contract/samples/sample-agents.ts'
import { NetworkError } from '#web/api/api.ts'
import { createTextBatcher } from '../chat/batch-text.ts'
import { followRun } from '../chat/follow-run.ts'
import { getReasonText } from './reason-text.ts'
import { getFailureText } from './run-texts.ts'
import { applyEvent, createRunView, type RunView } from './run-view.ts'

export const testInput = 'Say in one or two sentences what you are for.'

export interface RunOutcome {
  agent: Agent
  succeeded: boolean
  ms: number
  runId?: string
  response?: string
  mockMode: boolean
  /** Mocked in the browser because the server couldn't be reached. */
  offline: boolean
  reason?: string
}

/** Runs the agent with a test input. Never rejects; a failure is an outcome. */
export async function runAgent(
  agent: Agent,
  { onView, signal }: { onView: (view: RunView) => void; signal: AbortSignal },
): Promise<RunOutcome> {
  const startedAt = performance.now()
  const getElapsedMs = () => Math.round(performance.now() - startedAt)
  const baseOutcome = { agent, succeeded: false, mockMode: false, offline: false }
  const createOfflineOutcome = () => ({
    ...baseOutcome,
    succeeded: true,
    mockMode: true,
    offline: true,
    ms: getElapsedMs(),
    response: createMockAnswer(agent, testInput),
  })
  if (isSampleAgent(agent)) return createOfflineOutcome()
  let view = createRunView()
  onView(view)
  const batcher = createTextBatcher((event) => {
    view = applyEvent(view, event)
    onView(view)
  })
  try {
    await followRun({ agentId: agent.id, input: testInput }, batcher.push, { signal })
  } catch (reason) {
    if (reason instanceof NetworkError) return createOfflineOutcome()
    return { ...baseOutcome, ms: getElapsedMs(), reason: getReasonText(reason, 'Failed to run agent') }
  }
  const { status, text, mock, ms = getElapsedMs(), runId, reason } = view
  return {
    ...baseOutcome,
    succeeded: status === 'success',
    ms,
    response: text,
    mockMode: mock,
    ...(runId && { runId }),
    ...(status !== 'success' && { reason: getFailureText(status, reason) }),
  }
}
