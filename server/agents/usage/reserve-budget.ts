import type { Provider } from '#contract/agents/model-settings.ts'
import type { Usage } from '#contract/agents/runs.ts'
import type { ConnectedProgram } from '#server/accounts/person.ts'
import { prepareInsert, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import { calculateMaxMicros, type Price } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
import { formatDollars, toDollars, toMicros } from '#server/values/dollars.ts'
import { buildReservationIncrease, buildSettlementWrites } from './budget-reservations.ts'
import { getPriceBook } from './model-prices.ts'
import { type CallOutcome, calculateSettlement, type ReservedCall } from './settlement.ts'
import { buildWindowReservation, type SpendWindow } from './spend-windows.ts'
import { fetchSpendingLimits, type SpendingLimit } from './spending-limits.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })

/** Says which budget is exceeded and when it resets; visitors learn neither. */
function createOverBudgetProblem(
  exceededLimit: SpendingLimit & { limitMicros: number },
  call: PlannedCall,
  now: Date,
): Problem {
  return new Problem('over-budget', {
    message: call.personId ? formatPersonText(exceededLimit, call) : formatVisitorText(exceededLimit),
    retryAfterSeconds: (exceededLimit.window.end - now.getTime()) / 1000,
  })
}

function formatPersonText(
  { scope, limitMicros, window }: SpendingLimit & { limitMicros: number },
  { connection }: PlannedCall,
): string {
  const resetText = `The budget resets on ${dayFormat.format(window.end)}.`
  if (scope === 'connection')
    return `This would exceed the ${formatDollars(toDollars(limitMicros))} a month that the person allows ${connection?.name}, so nothing was sent. ${resetText}`
  if (scope === 'mine')
    return `This would exceed your ${formatDollars(toDollars(limitMicros))} monthly budget, so nothing was sent. ${resetText} You can change it under Your usage.`
  if (scope === 'each_person')
    return `This would exceed the monthly budget of each person on this server’s keys, so nothing was sent. ${resetText} To continue now, add a personal API key.`
  return `This would exceed this server’s monthly budget, so nothing was sent. ${resetText} Anyone who manages its API keys can change it.`
}

function formatVisitorText({ scope }: SpendingLimit): string {
  return scope === 'visitors' || scope === 'agent'
    ? 'This agent has answered all it can today. Come back tomorrow.'
    : 'This agent has answered all it can this month. Come back next month.'
}

export interface PlannedCall {
  runId: string
  agent: { id: string; owner_id: string | null; visitor_daily_micros: number | null }
  personId: string | null
  visitorId: string | null
  connection?: Pick<ConnectedProgram, 'id' | 'name' | 'monthlyLimitMicros'> | null
  provider: Provider
  model: string
  key: ChosenKey
  inputTokens: number
  maxOutputTokens: number
}

export interface BudgetReservation {
  calculateUsage(outcome: CallOutcome): Usage
  /** A call that failed with `not-sent` leaves no row. */
  settle(outcome: CallOutcome): Write[]
  /** Reserves a further attempt, because lost answers cost money too. False over a budget or if it can't be checked; never rejects. */
  reserveRetry(): Promise<boolean>
}

export const emptyReservation: BudgetReservation = {
  calculateUsage: () => ({ input_tokens: 0, output_tokens: 0, cost_usd: 0, estimated: false }),
  settle: () => [],
  reserveRetry: async () => false,
}

/** An unpriced model counts at its provider's highest price. @throws Problem `over-budget` (429 with Retry-After) */
export async function reserveBudget(services: Services, call: PlannedCall): Promise<BudgetReservation> {
  const { db } = services
  const now = services.now()
  const [priceBook, limits] = await Promise.all([getPriceBook(services), fetchSpendingLimits(db, call, now)])
  const price = priceBook.find(call.provider, call.model)
  const budgetPrice = price ?? priceBook.getMaxPrice(call.provider)
  const maxMicros = limits.length === 0 ? 0 : calculateMaxCallMicros(call, budgetPrice)
  const activeLimits = limits.flatMap(({ limitMicros, ...limit }) =>
    limitMicros === null ? [] : [{ ...limit, limitMicros }],
  )
  // The first reservation of a window is inserted without comparing it with the limit.
  const exceededLimit = activeLimits.find(({ limitMicros }) => limitMicros === 0 || maxMicros > limitMicros)
  if (exceededLimit) throw createOverBudgetProblem(exceededLimit, call, now)
  const reservedLimits = maxMicros === 0 ? [] : activeLimits
  const reservationId = services.newId()
  if (reservedLimits.length > 0)
    await writeReservation(services, call, { id: reservationId, reservedLimits, maxMicros, now: now.getTime() })

  const callId = services.newId()
  const reservedCall: ReservedCall = { call, price, budgetPrice, maxMicros }
  return {
    calculateUsage: (outcome) => calculateSettlement(reservedCall, outcome).usage,
    settle(outcome) {
      const { usage, spentMicros } = calculateSettlement(reservedCall, outcome)
      const callInsert = insertCallOnce.bind(db, {
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
        cost_micros: toMicros(usage.cost_usd),
        estimated: usage.estimated,
        failure: outcome.failure,
        duration_ms: Math.round(outcome.durationMs),
        created_at: now.getTime(),
      })
      const isReserved = (window: SpendWindow) => reservedLimits.some((reserved) => reserved.window === window)
      const windows = limits.map(({ window }) => window).filter((window) => spentMicros !== 0 || isReserved(window))
      const settlementWrites = buildSettlementWrites(db, { reservationId, callId, windows, spentMicros })
      return outcome.failure === 'not-sent' ? settlementWrites : [...settlementWrites, callInsert]
    },
    async reserveRetry() {
      if (reservedLimits.length === 0) return true
      try {
        await db.batch([
          buildReservationIncrease(db, { id: reservationId, micros: maxMicros, windowCount: reservedLimits.length }),
          ...reservedLimits.map(({ window, limitMicros }) =>
            buildWindowReservation(db, window, maxMicros, limitMicros),
          ),
        ])
        return true
      } catch (error) {
        if (!(error instanceof UnexpectedChanges))
          services.log.error({ err: error, runId: call.runId }, 'budget could not be reserved for another attempt')
        return false
      }
    },
  }
}

function calculateMaxCallMicros(call: PlannedCall, price: Price): number {
  return Math.ceil(calculateMaxMicros(price, { input_tokens: call.inputTokens, output_tokens: call.maxOutputTokens }))
}

async function writeReservation(
  services: Services,
  call: PlannedCall,
  {
    id,
    reservedLimits,
    maxMicros,
    now,
  }: {
    id: string
    reservedLimits: readonly (SpendingLimit & { limitMicros: number })[]
    maxMicros: number
    now: number
  },
): Promise<void> {
  const { db } = services
  const reservations = reservedLimits.map(({ window: { bucket, start } }) => {
    const reservation = { id, run_id: call.runId, bucket, window_start: start }
    return { ...reservation, micros: maxMicros, created_at: now }
  })
  try {
    await db.batch([
      ...reservedLimits.map(({ window, limitMicros }) => buildWindowReservation(db, window, maxMicros, limitMicros)),
      db.insertInto('budget_holds').values(reservations),
    ])
  } catch (error) {
    const exceededLimit = error instanceof UnexpectedChanges ? reservedLimits[error.index] : undefined
    throw exceededLimit ? createOverBudgetProblem(exceededLimit, call, services.now()) : error
  }
}

/** Once, because a commit whose response was lost is settled again. */
const insertCallOnce = prepareInsert('model_calls', ['id'])
