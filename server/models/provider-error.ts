import { asList, asObject, asText } from './json-values.ts'

export interface ProviderError {
  message: string
  codes: string[]
  param: string
  retryAfterMs?: number
}

type Loose = Record<string, unknown>

/** Formats of OpenAI, Anthropic (`error.details.error_code`), Google (also a list), Together (`type_`), ElevenLabs (`detail`). */
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

export function readErrorText(body: string): ProviderError {
  const text = body.trim()
  return { message: text.startsWith('<') || text.length > maxPlainError ? '' : text, codes: [], param: '' }
}

const maxPlainError = 500

/** Google puts the wait into the body: `retryDelay: '26.5s'`. */
function readRetryInfo(details: unknown): Pick<ProviderError, 'retryAfterMs'> {
  const seconds = asList(details).map(({ retryDelay }) => /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(asText(retryDelay))?.[1])
  const first = seconds.find((text) => text !== undefined)
  return first === undefined ? {} : { retryAfterMs: Math.ceil(Number(first) * 1000) }
}

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
