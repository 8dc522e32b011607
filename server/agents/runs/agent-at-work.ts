import type { RunSpan, Usage } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { BudgetHold } from '../usage/hold-budget.ts'
import type { CallOutcome } from '../usage/settlement.ts'
import type { GrowingText } from './growing-text.ts'
import type { RunPlan } from './run-plan.ts'
import type { LiveRun } from './run-registry.ts'
import type { RunTrace } from './run-trace.ts'

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
