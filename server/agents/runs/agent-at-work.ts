import type { RunSpan } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { BudgetHold } from '../usage/hold-budget.ts'
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
  stream: boolean
  ledger: Ledger
}

/** One agent at work in a run: the one that was asked, or one below it. */
export interface AgentAtWork
  extends RunUnderWay,
    Pick<RunPlan, 'agent' | 'settings' | 'key' | 'tools' | 'mustCall' | 'context' | 'system' | 'messages'> {
  /** What its first request may cost, if that is reserved already. */
  hold: BudgetHold | null
  /** Ids of the agents from the run's own down to this one. */
  path: string[]
  span: RunSpan
  /** The system prompt as the trace may show it. */
  shownSystem: string
  /** What it said so far, over all its turns. */
  said: string
  /** Whoever listens hears each word. */
  hear(delta: string): void
}

/** What requests leave behind in the ledger: written at once between two turns, the last with the end of the run. */
export class Ledger {
  #pending: Write[] = []

  add(writes: Write[]): void {
    this.#pending.push(...writes)
  }

  take(): Write[] {
    const pending = this.#pending
    this.#pending = []
    return pending
  }

  /** What cannot be written now is tried again with the end of the run. */
  async write(services: Services): Promise<void> {
    const writes = this.take()
    if (writes.length === 0) return
    try {
      await services.db.batch(writes)
    } catch (error) {
      this.add(writes)
      services.log.warn({ err: error }, 'a model call could not be entered in the ledger yet')
    }
  }
}
