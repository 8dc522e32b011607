import { apology } from '#contract/agents/answer-texts.ts'
import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { RunEvent, RunOutput, RunSpan, RunStatus, Usage } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../../agent-view.ts'
import type { Tool } from '../../tools/tool.ts'
import type { BudgetReservation } from '../../usage/reserve-budget.ts'
import type { CallOutcome } from '../../usage/settlement.ts'
import type { AgentContext } from './prompt-context.ts'
import type { LiveRun } from './run-registry.ts'
import type { RunTrace } from './run-trace.ts'
import type { Runner } from './runner.ts'
import type { TextBuffer } from './text-buffer.ts'

/** A run whose lease ended counts as abandoned. Renewed every second. */
export const leaseMs = 30_000

/** Column limit of 24 days; a clock corrected during a run can exceed it. */
const maxDurationMs = 2 ** 31 - 1

export function getMsBetween(from: number, to: number): number {
  return Math.min(maxDurationMs, Math.max(0, to - from))
}

export const interruptedText = 'The server restarted in the middle of the answer. The text so far is saved.'

const visitorVisibleCodes = [
  'agent-not-ready',
  'stopped',
  'interrupted',
  'provider-timeout',
  'context-too-long',
  'content-filter',
]

interface FinishedRun {
  id: string
  session_id: string | null
  person_id: string | null
  status: RunStatus
  error_code: string | null
  error: string | null
  response: string
  output: RunOutput | null
  mock_mode: boolean
  model: string
  usage: Usage
  execution_time_ms: number | null
}

export function toTerminalEvent({ id: run_id, session_id, response, mock_mode, model, usage, ...run }: FinishedRun) {
  const processing_time_ms = run.execution_time_ms ?? 0
  if (run.status === 'success') {
    const output = run.output ?? { type: 'text', text: response }
    const data = { response, run_id, session_id, output, mock_mode, model, usage, processing_time_ms }
    return { event: 'done', data } satisfies RunEvent
  }
  const failure = toVisibleFailure(run.person_id, { code: run.error_code ?? run.status, error: run.error })
  return { event: 'error', data: { ...failure, run_id, processing_time_ms, response } } satisfies RunEvent
}

/** A failure as the runner sees it: visitors don't learn whose key or budget it concerns. */
function toVisibleFailure(
  personId: string | null,
  { code, error }: { code: string; error: string | null },
): { code: string; message: string } {
  if (personId || code === 'over-budget') return { code, message: error ?? apology }
  return { code: visitorVisibleCodes.includes(code) ? code : 'provider-failed', message: apology }
}

/** The part of a plan that is read from the database and asked of providers and tool servers. */
export interface PreparedRun {
  key: ChosenKey
  tools: Tool[]
  context: AgentContext
  system: string
  messages: ModelRequest['messages']
  /** How many leading messages precede this run. */
  pastMessageCount: number
  notes: string[]
  reservation: BudgetReservation
  refusal?: RunFailure
}

export interface RunPlan extends PreparedRun {
  agent: AgentRow
  runner: Runner
  input: string
  settings: ModelSettings
  startedAt: number
  stream: boolean
  mustCall: string | undefined
  mockAnswer: string | undefined
}

export class RunFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface RunOutcome {
  status: Exclude<RunStatus, 'running'>
  errorCode: string | null
  error: string | null
  response: string
  output: RunOutput
  usage: Usage
}

export interface RunContext extends Pick<RunPlan, 'runner' | 'input' | 'stream'> {
  services: Services
  run: LiveRun
  trace: RunTrace
  /** The agent the person called; sub-agents are looked up with its owner's access. */
  rootAgent: AgentRow
  ledger: Ledger
}

export interface AgentRunContext extends RunContext, Omit<RunPlan, 'startedAt' | 'notes' | 'refusal' | 'reservation'> {
  reservation: BudgetReservation | null
  /** The calling agents, root first; all of them receive this agent's answer. */
  callers: readonly AgentRow[]
  span: RunSpan
  tracedSystem: string
  output: TextBuffer
  onText(delta: string): void
  onReasoning(delta: string): void
}

/** Collects the ledger writes of a run. A failed write is tried again with the next one. */
export class Ledger {
  readonly #services: Services
  readonly #runningWrites = new Set<Promise<void>>()
  #pendingWrites: Write[] = []

  constructor(services: Services) {
    this.#services = services
  }

  record(
    reservation: BudgetReservation,
    startedAt: number,
    tokenUsage: Omit<Usage, 'cost_usd'>,
    callResult: Omit<CallOutcome, 'usage' | 'durationMs'>,
  ): Usage {
    const outcome = {
      usage: { ...tokenUsage, cost_usd: null },
      ...callResult,
      durationMs: performance.now() - startedAt,
    }
    this.add(reservation.settle(outcome))
    return reservation.calculateUsage(outcome)
  }

  add(writes: Write[]): void {
    this.#pendingWrites.push(...writes)
  }

  write(): void {
    const writes = this.#pendingWrites
    if (writes.length === 0) return
    this.#pendingWrites = []
    const runningWrite = this.#write(writes).finally(() => this.#runningWrites.delete(runningWrite))
    this.#runningWrites.add(runningWrite)
  }

  async flush(): Promise<void> {
    this.write()
    await Promise.all(this.#runningWrites)
  }

  async takeUnsavedWrites(): Promise<Write[]> {
    await Promise.all(this.#runningWrites)
    const unsavedWrites = this.#pendingWrites
    this.#pendingWrites = []
    return unsavedWrites
  }

  async #write(writes: Write[]): Promise<void> {
    try {
      await this.#services.db.batch(writes)
    } catch (error) {
      this.add(writes)
      this.#services.log.warn({ err: error }, 'could not save a model call in the ledger yet')
    }
  }
}
