import type { Agent } from '#contract/agents/agents.ts'
import { Unreachable } from '#web/api.ts'
import { batchText } from '../chat/batch-text.ts'
import { followRun } from '../chat/follow-run.ts'
import { isSampleAgent, mockAnswer } from '../sample-agents.ts'
import { reasonText } from './reason-text.ts'
import { afterEvent, begun, type RunView } from './run-view.ts'
import { whatFailed } from './run-words.ts'

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
  const began = performance.now()
  const sinceThen = () => Math.round(performance.now() - began)
  const outcome = { agent, succeeded: false, mockMode: false, offline: false }
  const offlineOutcome = () => ({
    ...outcome,
    succeeded: true,
    mockMode: true,
    offline: true,
    ms: sinceThen(),
    response: mockAnswer(agent, testInput),
  })
  if (isSampleAgent(agent)) return offlineOutcome()
  let view = begun()
  onView(view)
  const batch = batchText((event) => {
    view = afterEvent(view, event)
    onView(view)
  })
  try {
    await followRun({ agentId: agent.id, input: testInput }, batch.hear, { signal })
  } catch (reason) {
    if (reason instanceof Unreachable) return offlineOutcome()
    return { ...outcome, ms: sinceThen(), reason: reasonText(reason, 'Failed to run agent') }
  }
  const { status, text, mock, ms = sinceThen(), runId, reason } = view
  return {
    ...outcome,
    succeeded: status === 'success',
    ms,
    response: text,
    mockMode: mock,
    ...(runId && { runId }),
    ...(status !== 'success' && { reason: whatFailed(status, reason) }),
  }
}
