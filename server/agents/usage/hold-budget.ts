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

/** One request to a model that is about to be sent: who asks, through which agent, and the most it can use. */
export interface PlannedCall {
  runId: string
  /** The one that was asked for, also where another one of its bundle makes the call. */
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
  /** What the call used and cost as the ledger keeps it; what a run sums up, so that both agree. */
  account(outcome: CallOutcome): Usage
  /**
   * The ledger row of the call and what gives the rest of the reservation back; written once, with the end of the run,
   * or at once between two turns. A call that failed with `not-sent` leaves no row.
   */
  settle(outcome: CallOutcome): Write[]
  /**
   * Reserves the worst case once more, for an attempt that follows one whose answer was lost: that one is paid for too.
   * False where a budget has no room for it, and where that cannot be told; nothing more is then reserved. Never rejects.
   */
  payAgain(): Promise<boolean>
}

/** Of what asks no model. */
export const nothingHeld: BudgetHold = {
  account: () => ({ input_tokens: 0, output_tokens: 0, cost_usd: 0, estimated: false }),
  settle: () => [],
  payAgain: async () => false,
}

/**
 * Reserves the worst case of a call in every budget it counts for, before it is sent. A model without a known price
 * counts at the dearest known price of its provider. Where nobody pays or no budget is set, nothing is written. A
 * budget of nothing takes no call at all, whatever its price.
 *
 * @throws Problem `over-budget` (429 with Retry-After) when one of them has no room; nothing is then reserved.
 */
export async function holdBudget(services: Services, call: PlannedCall): Promise<BudgetHold> {
  const { db } = services
  const now = services.now()
  const [book, limits] = await Promise.all([priceBook(services), limitsOn(db, call, now)])
  const price = book.find(call.provider, call.model)
  const counted = price ?? book.getMaxPrice(call.provider)
  const worst = limits.length === 0 ? 0 : worstCase(call, counted)
  const set = limits.flatMap(({ limit, ...rest }) => (limit === null ? [] : [{ ...rest, limit }]))
  // A window that is not there yet would take the first reservation whatever its limit.
  const tooSmall = set.find(({ limit }) => limit === 0 || worst > limit)
  if (tooSmall) throw overBudget(tooSmall, call, now)
  const held = worst === 0 ? [] : set
  const holdId = services.newId()
  await reserve(services, call, { id: holdId, held, worst, now: now.getTime() })

  const callId = services.newId()
  const facts = { call, price, counted, worst }
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
      // Settled again after a commit whose answer was lost, it counts once.
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

/** Millionths of a dollar, rounded up. */
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
