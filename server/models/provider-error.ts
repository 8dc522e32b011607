import { asList, asObject, asText, parseJson } from './json-values.ts'

export interface ProviderError {
  message: string
  codes: string[]
  param: string
  retryAfterMs?: number
}

type LooseObject = Record<string, unknown>

const maxCauses = 3

/**
 * Formats of OpenAI, Anthropic (`error.details.error_code`), Google (also a list), Together (`type_`), ElevenLabs (`detail`),
 * OpenRouter (`metadata.raw`), Mistral (`message.detail`), MiniMax (`base_resp`) and others.
 */
export function readProviderError(value: unknown, remainingCauses = maxCauses): ProviderError {
  const root = asObject(Array.isArray(value) ? value[0] : value)
  const errorValue =
    root.error ?? root.detail ?? asObject(root.response).error ?? asList(root.errors)[0] ?? root.base_resp ?? root
  if (typeof errorValue === 'string')
    return { message: errorValue, codes: readCodes(root), param: asText(root.param), ...readRetryInfo([], errorValue) }
  const error = asObject(Array.isArray(errorValue) ? errorValue[0] : errorValue)
  const details = asObject(error.details)
  const cause = remainingCauses > 0 ? readCause(error, remainingCauses - 1) : undefined
  const message = findFirstText(
    cause?.message,
    ...[error.message, error.msg, error.error_msg, error.status_msg, error.Message, error.title, error.error],
    root.message,
  )
  return {
    message,
    codes: [...new Set([...readCodes(error), ...readCodes(details), ...readCodes(root), ...(cause?.codes ?? [])])],
    param: findFirstText(cause?.param, error.param, formatLocation(error.loc), root.param),
    ...readRetryInfo(error.details, message),
  }
}

/** Gateways wrap the error of the service behind them, as an object, JSON or text. */
function readCause({ metadata, message }: LooseObject, remainingCauses: number): ProviderError | undefined {
  const { raw } = asObject(metadata)
  const cause = typeof raw === 'string' ? (parseJson(raw) ?? { message: raw }) : raw
  const value = cause ?? message
  return typeof value === 'object' && value !== null ? readProviderError(value, remainingCauses) : undefined
}

/** FastAPI's `loc`, such as `['body', 'tools', 0, 'function']`. */
function formatLocation(location: unknown): string {
  return Array.isArray(location) ? location.filter((part) => part !== 'body').join('.') : ''
}

export function readErrorText(body: string): ProviderError {
  const text = body.trim()
  return { message: text.startsWith('<') || text.length > maxPlainErrorLength ? '' : text, codes: [], param: '' }
}

const maxPlainErrorLength = 500

const waitPattern =
  /\b(?:try again|retry) (?:in|after) (?:(\d{1,3})h)?(?:(\d{1,4}) ?m(?:in(?:ute)?s?)?(?![a-z]))?(?:(\d{1,6}(?:\.\d{1,9})?) ?(m?s(?:ec(?:ond)?s?)?|milliseconds?)\b)?/i

/** OpenAI's and Groq's words, such as "Please try again in 1m30.5s", which are all that an error within an answer has. */
function readWait(message: string): number | undefined {
  const [, hours = 0, minutes = 0, seconds = 0, unit = ''] = waitPattern.exec(message) ?? []
  const factor = /^m/i.test(unit) ? 1 : 1000
  return Math.ceil(Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * factor) || undefined
}

/** Google puts the wait into the body: `retryDelay: '26.5s'`. */
function readRetryInfo(details: unknown, message: string): Pick<ProviderError, 'retryAfterMs'> {
  const delaySeconds = asList(details).map(
    ({ retryDelay }) => /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(asText(retryDelay))?.[1],
  )
  const firstDelay = delaySeconds.find((text) => text !== undefined)
  const retryAfterMs = firstDelay === undefined ? readWait(message) : Math.ceil(Number(firstDelay) * 1000)
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

export function isProviderError(value: unknown): boolean {
  const root = asObject(Array.isArray(value) ? value[0] : value)
  if (root.error !== undefined && root.error !== null) return true
  const statusCode = asObject(root.base_resp).status_code
  return (
    root.type === 'error' ||
    root.type === 'response.failed' ||
    asText(root.object).toLowerCase() === 'error' ||
    root.success === false ||
    Boolean(root.error_code) ||
    Boolean(statusCode) ||
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
