import { asList, asObject, asText } from './json-values.ts'

/** A provider's error, read from any of its shapes. */
export interface ProviderError {
  /** The provider's sentence, unscrubbed. '' when there is none. */
  message: string
  /** Every type, code and status word of the error, in lower case. */
  codes: string[]
  /** The field of the request it is about; '' when it does not say. */
  param: string
  /** From the body, where no header says how long to wait. */
  retryAfterMs?: number
}

type Loose = Record<string, unknown>

/**
 * Reads an error body or event. The shapes differ: OpenAI `{error: {message, type, code, param}}`, Anthropic the same with
 * `error.details.error_code`, Google `{error: {code, message, status, details}}`, also as a list, Together
 * `{message, type_}` or `error` as text, ElevenLabs `{detail}` as object, as list (FastAPI) or as text, the Responses API
 * `{type: 'error', message, code}` and `{response: {error}}`.
 */
export function readProviderError(value: unknown): ProviderError {
  const top = asObject(Array.isArray(value) ? value[0] : value)
  const inner = top.error ?? top.detail ?? asObject(top.response).error ?? asList(top.errors)[0] ?? top
  if (typeof inner === 'string') return { message: inner, codes: readCodes(top), param: asText(top.param) }
  const error = asObject(Array.isArray(inner) ? inner[0] : inner)
  const details = asObject(error.details)
  return {
    message: firstText(error.message, error.msg, error.error, top.message),
    codes: [...new Set([...readCodes(error), ...readCodes(details), ...readCodes(top)])],
    param: firstText(error.param, top.param),
    ...readRetryInfo(error.details),
  }
}

/** A body that is not JSON: the sentence of a proxy or a small server. A whole page is ignored. */
export function readErrorText(body: string): ProviderError {
  const text = body.trim()
  return { message: text.startsWith('<') || text.length > maxPlainError ? '' : text, codes: [], param: '' }
}

const maxPlainError = 500

/** Google says in the body how long to wait: `retryDelay: '26.5s'`. */
function readRetryInfo(details: unknown): Pick<ProviderError, 'retryAfterMs'> {
  const seconds = asList(details).map(({ retryDelay }) => /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(asText(retryDelay))?.[1])
  const first = seconds.find((text) => text !== undefined)
  return first === undefined ? {} : { retryAfterMs: Math.ceil(Number(first) * 1000) }
}

/** Whether a JSON value that came with status 200 is an error all the same. */
export function isProviderError(value: unknown): boolean {
  const top = asObject(Array.isArray(value) ? value[0] : value)
  if (top.error !== undefined && top.error !== null) return true
  return (
    top.type === 'error' || top.type === 'response.failed' || (top.detail !== undefined && top.choices === undefined)
  )
}

function readCodes({ type, type_, code, status, error_type, error_code }: Loose): string[] {
  return [type, type_, code, status, error_type, error_code]
    .filter((word): word is string | number => typeof word === 'string' || typeof word === 'number')
    .map((word) => String(word).toLowerCase())
}

function firstText(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}
