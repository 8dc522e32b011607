import { toEffectiveStatus, toEmbeddedErrorStatus, toFailureKind } from './failure-kind.ts'
import { formatFailure, type Timeout } from './failure-text.ts'
import { parseJson } from './json-values.ts'
import { ModelFailure, type ModelFailureCode } from './model-failure.ts'
import type { Credential } from './model-request.ts'
import { type ProviderError, readErrorText, readProviderError } from './provider-error.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { type Secrets, scrub } from './scrub.ts'

const plainNumberPattern = /^\d+(?:\.\d+)?$/
/** Larger than any wait and smaller than any recent timestamp, to tell durations from points in time. */
const maxDurationMs = 100_000_000_000

export function readRetryAfter(headers: Headers, now: number): number | undefined {
  return (
    parseDurationMs(headers.get('retry-after-ms'), 1) ??
    parseDurationMs(headers.get('retry-after'), 1000) ??
    getMsUntilDate(headers.get('retry-after'), headers.get('date'), now) ??
    getMsUntilReset(headers.get('x-ratelimit-reset'), now)
  )
}

function parseDurationMs(text: string | null, unitMs: number): number | undefined {
  if (text === null || !plainNumberPattern.test(text.trim())) return undefined
  return Math.ceil(Number(text) * unitMs)
}

/** Uses the nearer result of our clock and the provider's `date` header, because either can be wrong. */
function getMsUntilDate(text: string | null, providerDate: string | null, now: number): number | undefined {
  if (text === null || !/[a-z]{3}/i.test(text)) return undefined
  const retryAtMs = Date.parse(text)
  const waitsMs = [retryAtMs - now, retryAtMs - Date.parse(providerDate ?? '')].filter((waitMs) => waitMs >= 0)
  return waitsMs.length > 0 ? Math.min(...waitsMs) : undefined
}

/** Together sends seconds, ElevenLabs the epoch second of the reset. */
function getMsUntilReset(text: string | null, now: number): number | undefined {
  const resetMs = parseDurationMs(text, 1000)
  if (resetMs === undefined) return undefined
  const waitMs = resetMs > maxDurationMs ? resetMs - now : resetMs
  return waitMs >= 0 ? waitMs : undefined
}

export interface FailureContext {
  provider: Pick<ProviderDefinition, 'name' | 'reportsTooLongAsForbidden'>
  secrets: Secrets
}

export function toFailureContext(
  provider: FailureContext['provider'],
  { key, headers = {} }: Pick<Credential, 'key' | 'headers'> = { key: null },
  privateTexts: string[] = [],
): FailureContext {
  return { provider, secrets: { keys: [...(key ? [key] : []), ...Object.values(headers)], privateTexts } }
}

export function createFailure(
  { provider }: FailureContext,
  code: ModelFailureCode,
  {
    retryable = false,
    status,
    message,
    retryAfterMs,
    timeout,
  }: { retryable?: boolean; status?: number; message?: string; retryAfterMs?: number; timeout?: Timeout } = {},
): ModelFailure {
  const text = message ?? formatFailure(code, provider.name, { retryAfterMs, timeout })
  return new ModelFailure({ code, message: text, retryable, status, retryAfterMs })
}

export function toResponseFailure(
  context: FailureContext,
  answer: { status: number; headers: Headers; body: string; now: number },
): { failure: ModelFailure; status: number; error: ProviderError } {
  const value = parseJson(answer.body)
  const error = value === undefined ? readErrorText(answer.body) : readProviderError(value)
  const status = toEffectiveStatus(answer.status, error)
  const kind = toFailureKind(status, error, context.provider)
  const canRetry = answer.headers.get('x-should-retry')?.trim().toLowerCase() !== 'false'
  const failure = toProviderFailure(context, error, {
    ...kind,
    retryable: kind.retryable && canRetry,
    status,
    retryAfterMs: readRetryAfter(answer.headers, answer.now) ?? error.retryAfterMs,
  })
  return { failure, status, error }
}

/** An error inside a response that started as a success. */
export function toEmbeddedFailure(context: FailureContext, value: unknown): ModelFailure {
  const error = readProviderError(value)
  const status = toEmbeddedErrorStatus(error)
  const { retryAfterMs } = error
  return toProviderFailure(context, error, { ...toFailureKind(status, error, context.provider), status, retryAfterMs })
}

function toProviderFailure(
  { provider, secrets }: FailureContext,
  { message }: ProviderError,
  details: { code: ModelFailureCode; retryable: boolean; status: number; retryAfterMs?: number },
): ModelFailure {
  const text = formatFailure(details.code, provider.name, { ...details, quote: scrub(message, secrets) })
  return new ModelFailure({ ...details, message: text })
}

/** `fetch` would throw an error quoting a key that can't be sent in a header. */
export function requireSendableKey(context: FailureContext, key: string | null): void {
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) throw createFailure(context, 'key-rejected')
}

const certificateCodePattern = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_SSL|ERR_TLS|HOSTNAME_MISMATCH/
const protocolCodePattern =
  /^(?:Z_|ERR__?ZLIB|HPE_(?!INVALID_EOF_STATE)|ERR_ENCODING|UND_ERR_(?:RESPONSE|REQ_CONTENT|HEADERS_OVERFLOW))/
const invalidAddressPattern = /invalid url|failed to parse url|bad port|unknown scheme/i

export function toNetworkFailure(context: FailureContext, error: unknown): ModelFailure {
  const { name } = context.provider
  const { codes, messages } = listCauses(error)
  if (messages.some((message) => /unexpected redirect/i.test(message))) {
    const message = `${name} answered with a redirect to another address, which was not followed. Check the provider’s address.`
    return createFailure(context, 'provider-protocol', { message })
  }
  if (codes.some((code) => certificateCodePattern.test(code))) {
    const message = `The secure connection to ${name} could not be trusted. Check the provider’s address and its certificate.`
    return createFailure(context, 'provider-unreachable', { message })
  }
  if (codes.some((code) => protocolCodePattern.test(code))) return createFailure(context, 'provider-protocol')
  if (messages.some((message) => invalidAddressPattern.test(message))) {
    return createFailure(context, 'provider-unreachable', {
      message: `The address set for ${name} isn’t valid. Check it.`,
    })
  }
  return createFailure(context, 'provider-unreachable', { retryable: true })
}

const maxCauseDepth = 5

function listCauses(error: unknown): { codes: string[]; messages: string[] } {
  const codes: string[] = []
  const messages: string[] = []
  let current: unknown = error
  for (let depth = 0; depth < maxCauseDepth && current instanceof Error; depth += 1) {
    const { code, cause, message } = current as Error & { code?: unknown }
    if (typeof code === 'string') codes.push(code)
    messages.push(message)
    current = cause
  }
  return { codes, messages }
}
