import { apology } from '#contract/agents/answer-words.ts'
import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { RunOutput, RunStatus, Usage } from '#contract/agents/runs.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Tool } from '../tools/tool.ts'
import type { BudgetHold } from '../usage/hold-budget.ts'
import type { AgentContext } from './context-for.ts'
import type { Runner } from './runner.ts'

/** Past this, a run is taken for abandoned and may be closed by any process. Pushed forward every second. */
export const leaseMs = 30_000

/** What rows hold of a time at most, 24 days: a clock that was put right in the middle of a run says more. */
const longestMs = 2 ** 31 - 1

/** Milliseconds from one moment to another, as rows hold them. */
export function msBetween(from: number, to: number): number {
  return Math.min(longestMs, Math.max(0, to - from))
}

/** Why a run that a restart cut off failed. */
export const interruptedText = 'The server was restarted in the middle of the answer. The text so far is kept.'

const visitorsMayKnow = [
  'agent-not-ready',
  'stopped',
  'interrupted',
  'provider-timeout',
  'context-too-long',
  'content-filter',
]

/** A failure as whoever ran the agent is told it: a visitor does not learn whose key or credit it was about. */
export function failureToldTo(
  personId: string | null,
  { code, error }: { code: string; error: string | null },
): { code: string; message: string } {
  // That a budget is spent is said to visitors in words of its own.
  if (personId || code === 'over-budget') return { code, message: error ?? apology }
  return { code: visitorsMayKnow.includes(code) ? code : 'provider-failed', message: apology }
}

export interface RunPlan {
  agent: AgentRow
  runner: Runner
  /** What the person asked, word for word. */
  input: string
  settings: ModelSettings
  key: ChosenKey
  /** Milliseconds; the run's row says the same. */
  startedAt: number
  stream: boolean
  /** What the agent may call in this run. */
  tools: Tool[]
  /** The tool its first answer must call. */
  mustCall: string | undefined
  /** What the mock answers with, after saying what it is. */
  mockAnswer: string | undefined
  context: AgentContext
  system: string
  messages: ModelRequest['messages']
  /** How many of them, at the beginning, were said before this run. */
  past: number
  /** What was noticed before it began. */
  notes: string[]
  /** What its first request may cost, reserved before the run was written. */
  hold: BudgetHold
  /** Why nobody is asked: the run fails with it. */
  refusal: RunFailure | undefined
}

/** An end that is nobody's fault but the run's own, such as one without an answer after many turns. */
export class RunFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface Outcome {
  status: Exclude<RunStatus, 'running'>
  errorCode: string | null
  error: string | null
  response: string
  output: RunOutput
  usage: Usage
}
