import { asObject } from '../json-values.ts'
import type { ListedModel } from './provider.ts'

export function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : undefined
}

const maxUnixSeconds = 100_000_000_000

/** The day of a date or timestamp, also in epoch seconds: `2027-01-14`. null stays null. */
export function readDay(value: unknown): string | null | undefined {
  if (value === null) return null
  if (typeof value === 'number' && value > 0 && value < maxUnixSeconds)
    return new Date(value * 1000).toISOString().slice(0, 10)
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined
}

const maxDollarsPerToken = 0.001
const maxDollarsPerMillion = 1_000_000

/** OpenRouter lists prices per token, Together and DeepInfra per million. Undefined if missing or conditional (-1). */
export function readListedPrice(entry: Record<string, unknown>): ListedModel['price'] {
  const prices = asObject(entry.pricing ?? asObject(entry.metadata).pricing ?? entry.model_info)
  const input = readDollars(prices.prompt ?? prices.input ?? prices.input_tokens ?? prices.input_cost_per_token)
  const output = readDollars(prices.completion ?? prices.output ?? prices.output_tokens ?? prices.output_cost_per_token)
  if (input === undefined || output === undefined) return undefined
  // Together lists 0 for models available only on rented machines.
  if (input === 0 && output === 0 && 'hourly' in prices) return undefined
  const isPerToken = Math.max(input, output) < maxDollarsPerToken
  const toPrice = (dollars: number) => Number((isPerToken ? dollars * 1_000_000 : dollars).toPrecision(12))
  if (Math.max(toPrice(input), toPrice(output)) > maxDollarsPerMillion) return undefined
  const cachedInput = readDollars(
    prices.input_cache_read ?? prices.cache_read_tokens ?? prices.cache_read_input_token_cost,
  )
  const cacheWrite = readDollars(prices.input_cache_write ?? prices.cache_creation_input_token_cost)
  return {
    input: toPrice(input),
    output: toPrice(output),
    ...(cachedInput !== undefined && { cachedInput: toPrice(cachedInput) }),
    ...(cacheWrite !== undefined && { cacheWrite: toPrice(cacheWrite) }),
  }
}

function readDollars(value: unknown): number | undefined {
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof dollars === 'number' && Number.isFinite(dollars) && dollars >= 0 ? dollars : undefined
}
