import { apology } from '#contract/agents/answer-words.ts'
import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { RunOutput, RunSpan, RunStatus, Usage } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Tool } from '../tools/tool.ts'
import type { BudgetHold } from '../usage/hold-budget.ts'
import type { CallOutcome } from '../usage/settlement.ts'
import type { GrowingText } from './growing-text.ts'
import type { AgentContext } from './prompt-context.ts'
import type { LiveRun } from './run-registry.ts'
import type { RunTrace } from './run-trace.ts'
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

/** One run under way, as every agent in it sees it. */
export interface RunUnderWay {
  services: Services
  run: LiveRun
  trace: RunTrace
  /** The agent that was asked; those below are looked up as its owner. */
  root: AgentRow
  runner: RunPlan['runner']
  /** What the person asked, word for word; agents below are asked something else. */
  input: string
  stream: boolean
  ledger: Ledger
}

/** One agent at work in a run: the one that was asked, or one below it. */
export interface AgentAtWork
  extends RunUnderWay,
    Pick<
      RunPlan,
      'agent' | 'settings' | 'key' | 'tools' | 'mustCall' | 'mockAnswer' | 'context' | 'system' | 'messages' | 'past'
    > {
  /** What its first request may cost, if that is reserved already. */
  hold: BudgetHold | null
  /** The agents above it, the run's own first: what this one says goes back up through all of them. */
  askedBy: readonly AgentRow[]
  span: RunSpan
  /** The system prompt as the trace may show it. */
  shownSystem: string
  /** What it said so far, over all its turns. */
  said: GrowingText
  /** Whoever listens hears each word. */
  hear(delta: string): void
  /** Passes on what its model thinks. */
  think(delta: string): void
}

/** What requests leave behind in the ledger: written between two turns while the run goes on, the last with its end. */
export class Ledger {
  readonly #services: Services
  readonly #writing = new Set<Promise<void>>()
  #pending: Write[] = []

  constructor(services: Services) {
    this.#services = services
  }

  /** Enters what a request used, whose time began at `since` (`performance.now()`). Returns what the run counts for it. */
  enter(
    hold: BudgetHold,
    since: number,
    used: Omit<Usage, 'cost_usd'>,
    ending: Omit<CallOutcome, 'usage' | 'durationMs'>,
  ): Usage {
    const outcome = { usage: { ...used, cost_usd: null }, ...ending, durationMs: performance.now() - since }
    this.add(hold.settle(outcome))
    return hold.account(outcome)
  }

  add(writes: Write[]): void {
    this.#pending.push(...writes)
  }

  /** Writes what is there; nobody has to wait for it. */
  write(): void {
    const writes = this.#pending
    if (writes.length === 0) return
    this.#pending = []
    const writing = this.#write(writes).finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }

  /** The same, for who needs the money that is still held. */
  async written(): Promise<void> {
    this.write()
    await Promise.all(this.#writing)
  }

  /** What is not written yet, to be written by who takes it. */
  async take(): Promise<Write[]> {
    await Promise.all(this.#writing)
    const pending = this.#pending
    this.#pending = []
    return pending
  }

  /** What cannot be written now is tried again with the end of the run. */
  async #write(writes: Write[]): Promise<void> {
    try {
      await this.#services.db.batch(writes)
    } catch (error) {
      this.add(writes)
      this.#services.log.warn({ err: error }, 'a model call could not be entered in the ledger yet')
    }
  }
}
