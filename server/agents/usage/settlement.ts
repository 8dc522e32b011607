import type { Usage } from '#contract/agents/runs.ts'
import { DatabaseBusy } from '#server/db/database-errors.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import { calculateMicros, type Price } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
import { toDollars } from '#server/values/dollars.ts'
import type { PlannedCall } from './reserve-budget.ts'

export interface CallOutcome {
  usage: Usage
  failure: string | null
  /** False if no request was in progress when it was aborted. */
  wasInFlight?: boolean
  hasAnswerStarted?: boolean
  lostResponseCount?: number
  durationMs: number
}

export interface ReservedCall {
  call: PlannedCall
  price: Price | null
  budgetPrice: Price
  /** The reserved maximum, in millionths of a dollar; 0 without a payer. */
  maxMicros: number
}

/** Failures during which the provider keeps working and charges. */
const chargedFailures = ['stopped', 'interrupted', 'provider-timeout']

export function toCallOutcome(error: unknown): Omit<CallOutcome, 'usage' | 'durationMs'> {
  if (!(error instanceof ModelFailure)) return { failure: 'internal' }
  const { code, wasInFlight, hasAnswerStarted, lostResponseCount } = error
  return { failure: code, wasInFlight, hasAnswerStarted, lostResponseCount }
}

/** `spentMicros` in millionths of a dollar. Without believable usage the reserved maximum counts; lost answers add their input. */
export function calculateSettlement(
  reservedCall: ReservedCall,
  { usage: reportedUsage, failure, wasInFlight = true, hasAnswerStarted = false, lostResponseCount = 0 }: CallOutcome,
): { usage: Usage; spentMicros: number } {
  const { call, price, budgetPrice, maxMicros } = reservedCall
  const isPaid = call.key.source === 'personal' || call.key.source === 'platform'
  const isUsageBelievable = isBelievable(call, reportedUsage)
  const usage = isUsageBelievable
    ? withoutCost(reportedUsage)
    : { input_tokens: call.inputTokens, output_tokens: call.maxOutputTokens, estimated: true }
  if (failure !== null && usage.estimated) {
    const wasAbandoned = wasInFlight && chargedFailures.includes(failure)
    const wasWorking = wasAbandoned || hasAnswerStarted || (isUsageBelievable && usage.output_tokens > 0)
    if (!isUsageBelievable) usage.output_tokens = 0
    usage.input_tokens = wasWorking ? Math.max(usage.input_tokens, call.inputTokens) : 0
  }
  const isUsageUnknown = failure === null && usage.estimated
  const lostUsage = { input_tokens: lostResponseCount * call.inputTokens, output_tokens: 0 }
  usage.input_tokens += lostUsage.input_tokens
  usage.estimated ||= lostResponseCount > 0
  if (!isPaid) return { usage: { ...usage, cost_usd: 0 }, spentMicros: 0 }
  const calculateCostMicros = (atPrice: Price) =>
    isUsageUnknown
      ? maxMicros + Math.round(calculateMicros(atPrice, lostUsage))
      : Math.round(calculateMicros(atPrice, usage))
  return {
    usage: { ...usage, cost_usd: price && toDollars(calculateCostMicros(price)) },
    spentMicros: calculateCostMicros(budgetPrice),
  }
}

function withoutCost({ cost_usd: _cost, ...usage }: Usage): Omit<Usage, 'cost_usd'> {
  return usage
}

const toleratedExtraTokens = 10_000

function isBelievable(call: PlannedCall, { input_tokens: input, output_tokens: output }: Usage): boolean {
  const isWithin = (tokens: number, max: number) => Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= max
  return (
    isWithin(input, call.inputTokens * 16 + toleratedExtraTokens) &&
    isWithin(output, call.maxOutputTokens * 2 + toleratedExtraTokens)
  )
}

const retryDelaysMs = [100, 400, 1_000, 2_500]

/** Retries while the database is busy, so that paid results aren't lost. An earlier attempt may have succeeded without a response. */
export async function retryWhileBusy<Answer>(
  { modelRuntime }: Pick<Services, 'modelRuntime'>,
  task: (previousAttempts: number) => Promise<Answer>,
): Promise<Answer> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await task(attempts)
    } catch (error) {
      const waitMs = retryDelaysMs[attempts]
      if (waitMs === undefined || !(error instanceof DatabaseBusy)) throw error
      await modelRuntime.sleep(waitMs, new AbortController().signal)
    }
  }
}
