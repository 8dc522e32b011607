/** A provider's own account of what went wrong, read from whatever shape it came in. */
export interface ProviderError {
  /** The provider's sentence, unscrubbed. '' when there is none. */
  message: string
  /** Every type, code and status word of the error, in lower case. */
  words: string[]
}

type Loose = Record<string, unknown>

/**
 * Reads an error body or event. The shapes differ: OpenAI `{error: {message, type, code}}`, Anthropic the same with
 * `error.details.error_code`, Together also `{message, type_}` or `error` as text, ElevenLabs `{detail}` as object,
 * as list (FastAPI) or as text, the Responses API `{type: 'error', message, code}` and `{response: {error}}`.
 */
export function readProviderError(value: unknown): ProviderError {
  const top = asObject(value)
  const inner = top.error ?? top.detail ?? asObject(top.response).error ?? top
  if (typeof inner === 'string') return { message: inner, words: wordsOf(top) }
  const error = asObject(Array.isArray(inner) ? inner[0] : inner)
  const details = asObject(error.details)
  return {
    message: firstText(error.message, error.msg, top.message),
    words: [...new Set([...wordsOf(error), ...wordsOf(details), ...wordsOf(top)])],
  }
}

/** Whether a JSON value that came with status 200 is an error all the same. */
export function isProviderError(value: unknown): boolean {
  const top = asObject(value)
  if (top.error !== undefined && top.error !== null) return true
  return (
    top.type === 'error' || top.type === 'response.failed' || (top.detail !== undefined && top.choices === undefined)
  )
}

function wordsOf({ type, type_, code, status, error_type, error_code }: Loose): string[] {
  return [type, type_, code, status, error_type, error_code]
    .filter((word): word is string | number => typeof word === 'string' || typeof word === 'number')
    .map((word) => String(word).toLowerCase())
}

function asObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}

function firstText(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string') ?? ''
}
