import { isObject } from '#server/values/is-object.ts'

type JsonObject = Record<string, unknown>

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function asList(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const maxTokenCount = 10_000_000

export const readTokenCount = (value: unknown): number | undefined => sumTokenCounts(value)

/** Sums the counts that are present; undefined if there is none, or if one isn't a number or the sum isn't plausible. */
export function sumTokenCounts(...values: unknown[]): number | undefined {
  const counts = values
    .filter((value) => value !== undefined && value !== null)
    .map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value))
  if (counts.length === 0 || !counts.every((count) => typeof count === 'number')) return undefined
  const total = counts.reduce((sum, count) => sum + count, 0)
  return Number.isInteger(total) && total >= 0 && total <= maxTokenCount ? total : undefined
}
