import type { FinishReason } from '../model-request.ts'
import type { ToolCallPiece } from '../tool-call-pieces.ts'

/** What one event of a stream, or one whole plain answer, says. */
export interface WirePiece {
  text?: string
  toolCalls?: ToolCallPiece[]
  finish?: FinishReason
  inputTokens?: number
  outputTokens?: number
  /** The provider's error object: the answer failed although its status was 200. */
  error?: unknown
  /** The provider's end mark: the answer is complete. */
  end?: true
  /** false for pings and empty padding, which must not pass for progress. */
  meaningful: boolean
}

/**
 * How one family of providers speaks. Answers are read here, strictly where text could get lost and tolerantly
 * elsewhere, and what the SDK is shown of them is in the plainest form it knows, because it takes some broken answers for
 * complete ones and stumbles over harmless additions.
 */
export interface Wire {
  /** True for an end mark that is not JSON, such as `[DONE]`. */
  isEndMark(data: string): boolean
  readEvent(name: string, value: unknown): WirePiece
  /** undefined: this is no answer of this provider. */
  readWhole(value: unknown): WirePiece | undefined
  /** A complete stream without words or tool calls. */
  emptyStream: string
  retellWhole(text: string): string
}

type Loose = Record<string, unknown>

export function asObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}
}

export function asList(value: unknown): Loose[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

const absurdlyManyTokens = 10_000_000

/** A token count worth believing, else undefined. */
export function tokenCount(...values: unknown[]): number | undefined {
  const counts = values.filter((value) => value !== undefined && value !== null)
  const total = counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : Number.NaN), 0)
  return counts.length > 0 && Number.isInteger(total) && total >= 0 && total <= absurdlyManyTokens ? total : undefined
}

export function serverSentEvent(value: object | string, name?: string): string {
  const data = typeof value === 'string' ? value : JSON.stringify(value)
  return `${name ? `event: ${name}\n` : ''}data: ${data}\n\n`
}
