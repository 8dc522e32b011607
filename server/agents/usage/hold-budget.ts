import type { Provider } from '#contract/agents/model-settings.ts'
import type { Usage } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import type { Services } from '#server/services.ts'

/** One request to a model that is about to be sent: who asks, through which agent, and the most it can use. */
export interface PlannedCall {
  runId: string
  agent: { id: string; owner_id: string | null; visitor_daily_micros: number | null }
  personId: string | null
  visitorId: string | null
  provider: Provider
  model: string
  key: ChosenKey
  /** Estimates; the reservation is priced from them. */
  inputTokens: number
  maxOutputTokens: number
}

export interface BudgetHold {
  /** The ledger row of the call and what gives the rest of the reservation back; written with the end of the run, or at once between two turns. */
  settle(outcome: { usage: Usage; failure: string | null; durationMs: number }): Write[]
}

/**
 * Reserves the worst case of a call in every budget it counts for, before it is sent.
 *
 * @throws Problem `over-budget` (429 with Retry-After) when one of them has no room; nothing is then reserved.
 */
export async function holdBudget(_services: Services, _call: PlannedCall): Promise<BudgetHold> {
  return { settle: () => [] }
}
