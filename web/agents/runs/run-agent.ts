import { type Agent, agents } from '#contract/agents/agents.ts'
import { ApiError, callEnvelope, Unreachable } from '#web/api.ts'
import { isSample, mockAnswer } from '../sample-agents.ts'

export const testInput = 'Say in one or two sentences what you are for.'

export interface RunOutcome {
  agent: Agent
  succeeded: boolean
  ms: number
  runId?: string
  response?: string
  mockMode: boolean
  /** The server was out of reach: this answer was made in the browser. */
  offline: boolean
  reason?: string
}

/** One run, waited for. Never rejects: a failure is an outcome. */
export async function runAgent(agent: Agent, input = testInput): Promise<RunOutcome> {
  const began = performance.now()
  const sinceThen = () => Math.round(performance.now() - began)
  const outcome = { agent, succeeded: false, mockMode: false, offline: false }
  const offlineOutcome = () => ({
    ...outcome,
    succeeded: true,
    mockMode: true,
    offline: true,
    ms: sinceThen(),
    response: mockAnswer(agent, input),
  })
  if (isSample(agent)) return offlineOutcome()
  try {
    const answer = await callEnvelope(agents.run, { body: { agentId: agent.id, input } })
    const ms = typeof answer.processing_time_ms === 'number' ? answer.processing_time_ms : sinceThen()
    if (!answer.success || !answer.data) {
      const reason = typeof answer.error === 'string' ? answer.error : answer.error?.message
      return { ...outcome, ms, ...(reason && { reason }) }
    }
    const { response, run_id, mock_mode } = answer.data
    return { ...outcome, succeeded: true, ms, response, runId: run_id, mockMode: mock_mode }
  } catch (reason) {
    if (reason instanceof Unreachable) return offlineOutcome()
    const runId = reason instanceof ApiError ? (reason.data as { run_id?: string } | undefined)?.run_id : undefined
    return { ...outcome, ms: sinceThen(), reason: reasonText(reason), ...(runId && { runId }) }
  }
}

export function reasonText(reason: unknown): string {
  return reason instanceof Error && reason.message ? reason.message : 'No reason was given.'
}
