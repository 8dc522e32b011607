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

export function readTokenCount(...values: unknown[]): number | undefined {
  const counts = values.filter((value) => value !== undefined && value !== null)
  const total = counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : Number.NaN), 0)
  return counts.length > 0 && Number.isInteger(total) && total >= 0 && total <= maxTokenCount ? total : undefined
}
