import { asList, asObject, asText } from './json-values.ts'

export interface ProviderError {
  message: string
  codes: string[]
  param: string
  retryAfterMs?: number
}

type LooseObject = Record<string, unknown>

/** Formats of OpenAI, Anthropic (`error.details.error_code`), Google (also a list), Together (`type_`), ElevenLabs (`detail`). */
export function readProviderError(value: unknown): ProviderError {
  const root = asObject(Array.isArray(value) ? value[0] : value)
  const errorValue = root.error ?? root.detail ?? asObject(root.response).error ?? asList(root.errors)[0] ?? root
  if (typeof errorValue === 'string') return { message: errorValue, codes: readCodes(root), param: asText(root.param) }
  const error = asObject(Array.isArray(errorValue) ? errorValue[0] : errorValue)
  const details = asObject(error.details)
  return {
    message: findFirstText(error.message, error.msg, error.error, root.message),
    codes: [...new Set([...readCodes(error), ...readCodes(details), ...readCodes(root)])],
    param: findFirstText(error.param, root.param),
    ...readRetryInfo(error.details),
  }
}

export function readErrorText(body: string): ProviderError {
  const text = body.trim()
  return { message: text.startsWith('<') || text.length > maxPlainErrorLength ? '' : text, codes: [], param: '' }
}

const maxPlainErrorLength = 500

/** Google puts the wait into the body: `retryDelay: '26.5s'`. */
function readRetryInfo(details: unknown): Pick<ProviderError, 'retryAfterMs'> {
  const delaySeconds = asList(details).map(
    ({ retryDelay }) => /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(asText(retryDelay))?.[1],
  )
  const firstDelay = delaySeconds.find((text) => text !== undefined)
  return firstDelay === undefined ? {} : { retryAfterMs: Math.ceil(Number(firstDelay) * 1000) }
}

export function isProviderError(value: unknown): boolean {
  const root = asObject(Array.isArray(value) ? value[0] : value)
  if (root.error !== undefined && root.error !== null) return true
  return (
    root.type === 'error' ||
    root.type === 'response.failed' ||
    (root.detail !== undefined && root.choices === undefined)
  )
}

function readCodes({ type, type_, code, status, error_type, error_code }: LooseObject): string[] {
  return [type, type_, code, status, error_type, error_code]
    .filter((errorCode): errorCode is string | number => typeof errorCode === 'string' || typeof errorCode === 'number')
    .map((errorCode) => String(errorCode).toLowerCase())
}

function findFirstText(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}
