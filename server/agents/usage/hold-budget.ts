import type { Provider } from '#contract/agents/model-settings.ts'
import type { Usage } from '#contract/agents/runs.ts'
import type { Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import { calculateMaxMicros, type Price } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
import { holdIn, holdMoreIn, settleIn } from './budget-holds.ts'
import { overBudget } from './over-budget.ts'
import { priceBook } from './price-book.ts'
import { type CallOutcome, settlement } from './settlement.ts'
import { reserveIn, type SpendWindow } from './spend-windows.ts'
import { limitsOn, type SpendingLimit } from './spending-limits.ts'

export interface PlannedCall {
  runId: string
  agent: { id: string; owner_id: string | null; visitor_daily_micros: number | null }
  personId: string | null
  visitorId: string | null
  provider: Provider
  model: string
  key: ChosenKey
  inputTokens: number
  maxOutputTokens: number
}

export interface BudgetHold {
  /** Usage and cost as the ledger stores them; runs sum these up. */
  account(outcome: CallOutcome): Usage
  /**
   * Writes the ledger row and releases the rest of the reservation, between turns or with the run's end.
   * A call that failed with `not-sent` leaves no row.
   */
  settle(outcome: CallOutcome): Write[]
  /**
   * Reserves the worst case again, for a retry after a lost answer, which costs money too.
   * Returns false if a budget has no room or that can't be checked. Never rejects.
   */
  payAgain(): Promise<boolean>
}

export const nothingHeld: BudgetHold = {
  account: () => ({ input_tokens: 0, output_tokens: 0, cost_usd: 0, estimated: false }),
  settle: () => [],
  payAgain: async () => false,
}

/**
 * Reserves a call's worst case in every budget it counts for. A model without a price counts at its provider's highest.
 * Writes nothing without a payer or a budget; a zero budget refuses every call.
 * @throws Problem `over-budget` (429 with Retry-After), with nothing reserved
 */
export async function holdBudget(services: Services, call: PlannedCall): Promise<BudgetHold> {
  const { db } = services
  const now = services.now()
  const [book, limits] = await Promise.all([priceBook(services), limitsOn(db, call, now)])
  const price = book.find(call.provider, call.model)
  const counted = price ?? book.getMaxPrice(call.provider)
  const worst = limits.length === 0 ? 0 : worstCase(call, counted)
  const set = limits.flatMap(({ limit, ...rest }) => (limit === null ? [] : [{ ...rest, limit }]))
  // A missing window would accept the first reservation regardless of its limit.
  const tooSmall = set.find(({ limit }) => limit === 0 || worst > limit)
  if (tooSmall) throw overBudget(tooSmall, call, now)
  const held = worst === 0 ? [] : set
  const holdId = services.newId()
  await reserve(services, call, { id: holdId, held, worst, now: now.getTime() })

  const callId = services.newId()
  const facts: Parameters<typeof settlement>[0] = { call, price, counted, worst }
  return {
    account: (outcome) => settlement(facts, outcome).usage,
    settle(outcome) {
      const { usage, spent } = settlement(facts, outcome)
      const entry = db.insertInto('model_calls').values({
        id: callId,
        run_id: call.runId,
        agent_id: call.agent.id,
        agent_owner_id: call.agent.owner_id,
        person_id: call.personId,
        visitor_id: call.visitorId,
        provider: call.provider,
        model: call.model,
        key_source: call.key.source,
        payer: call.key.payer,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cached_tokens: usage.cached_tokens ?? null,
        cache_write_tokens: usage.cache_write_tokens ?? null,
        cost_micros: usage.cost_usd === null ? null : Math.round(usage.cost_usd * 1_000_000),
        estimated: usage.estimated,
        failure: outcome.failure,
        duration_ms: Math.round(outcome.durationMs),
        created_at: now.getTime(),
      })
      const isHeld = (window: SpendWindow) => held.some((each) => each.window === window)
      const windows = limits.map(({ window }) => window).filter((window) => spent !== 0 || isHeld(window))
      const moves = settleIn(db, { holdId, callId, windows, spent })
      // Idempotent, because a commit whose response was lost is settled again.
      const once = entry.onConflict((conflict) => conflict.column('id').doNothing())
      return outcome.failure === 'not-sent' ? moves : [...moves, once]
    },
    async payAgain() {
      if (held.length === 0) return true
      try {
        await db.batch([
          holdMoreIn(db, { id: holdId, micros: worst, windows: held.length }),
          ...held.map(({ window, limit }) => reserveIn(db, window, worst, limit)),
        ])
        return true
      } catch (error) {
        if (!(error instanceof UnexpectedChanges))
          services.log.error({ err: error, runId: call.runId }, 'another attempt could not be held money for')
        return false
      }
    },
  }
}

function worstCase(call: PlannedCall, price: Price): number {
  return Math.ceil(calculateMaxMicros(price, { input_tokens: call.inputTokens, output_tokens: call.maxOutputTokens }))
}

async function reserve(
  services: Services,
  call: PlannedCall,
  {
    id,
    held,
    worst,
    now,
  }: { id: string; held: readonly (SpendingLimit & { limit: number })[]; worst: number; now: number },
): Promise<void> {
  if (held.length === 0) return
  const holds = held.map(({ window }) => ({ id, runId: call.runId, window, micros: worst, createdAt: now }))
  const writes = [
    ...held.map(({ window, limit }) => reserveIn(services.db, window, worst, limit)),
    holdIn(services.db, holds),
  ]
  try {
    await services.db.batch(writes)
  } catch (error) {
    const full = error instanceof UnexpectedChanges ? held[error.index] : undefined
    throw full ? overBudget(full, call, services.now()) : error
  }
}
