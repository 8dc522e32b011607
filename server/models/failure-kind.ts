import type { ModelFailureCode } from './model-failure.ts'
import type { ProviderError } from './provider-error.ts'

export interface FailureKind {
  code: ModelFailureCode
  retryable: boolean
}

const toFinalFailure = (code: ModelFailureCode): FailureKind => ({ code, retryable: false })
const toRetryableFailure = (code: ModelFailureCode): FailureKind => ({ code, retryable: true })

const quotaCodes = [
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_error',
  'enforced_spend_limit_reached',
  'quota_exceeded',
]
// Not /billing/, because OpenAI's temporary limits end with a link to the billing page.
const quotaPattern =
  /credit balance|insufficient (?:account )?(?:balance|credits?|funds)|exceeded your current quota|spend(?:ing)? limit|usage limits?\b/i
const tooLargeCodes = ['request_too_large', 'max_character_limit_exceeded', 'text_too_long']
const tooLargePattern = /request too large|request_too_large|character limit/i
const contextCodes = [
  'context_length_exceeded',
  'string_above_max_length',
  'tokens_limit_reached',
  'exceed_context_size_error',
]
const contextPattern =
  /context (?:length|window|size|limit)|maximum (?:number of tokens allowed|context|(?:prompt|model) length)|(?:prompt|input) (?:is )?too long|(?:prompt|input)(?: length| tokens?(?: count)?)?(?: of \d+)? exceeds? (?:the )?(?:max|limit)|model token limit|range of input length|too many (?:input )?tokens|max_new_tokens/i
const filterCodes = ['content_filter', 'content_policy_violation', 'invalid_prompt']
const keyCodes = ['invalid_api_key', 'authentication_error', 'missing_api_key', 'api_key_invalid']
const keyPattern = /api.?key (?:is )?(?:not valid|invalid)|invalid api.?key/i
const modelCodes = [
  'model_not_found',
  'model_not_available',
  'model_decommissioned',
  'unknown_model',
  'deploymentnotfound',
  'operationnotsupported',
  'not_found_error',
]
const modelPattern =
  /(?:invalid|unknown) model|not a (?:valid model|chat model)|model (?:(?!model ).)*(?:does not exist|not exist|not found|decommissioned|retired)|unable to access (?:\S+ )?model|no endpoints found for/i

/** A wrong address also answers 404, and another model would not help. */
const isAboutModel = ({ codes, message, param }: ProviderError) =>
  codes.some((code) => modelCodes.includes(code)) ||
  param === 'model' ||
  modelPattern.test(message) ||
  (/\bmodels?\b/i.test(message) && !/\b(?:url|route|path|endpoint)\b/i.test(message))

export function toFailureKind(
  status: number,
  error: ProviderError,
  { reportsTooLongAsForbidden = false }: { reportsTooLongAsForbidden?: boolean | undefined } = {},
): FailureKind {
  const matches = (codes: string[], pattern?: RegExp) =>
    error.codes.some((code) => codes.includes(code)) || (pattern?.test(error.message) ?? false)

  // ElevenLabs answers 400 or 401 to both a bad key and an empty quota, so the code decides.
  if (status === 402 || matches(quotaCodes)) return toFinalFailure('provider-quota')
  if (status === 401 || (status < 500 && matches(keyCodes)) || (status === 400 && matches([], keyPattern)))
    return toFinalFailure('key-rejected')
  if ((status === 413 || status >= 500) && matches(contextCodes, contextPattern))
    return toFinalFailure('context-too-long')
  if (status === 413 || (status < 500 && matches(tooLargeCodes))) return toFinalFailure('request-too-large')
  if (status === 400 || status === 422) {
    if (matches([], quotaPattern)) return toFinalFailure('provider-quota')
    if (matches(contextCodes, contextPattern)) return toFinalFailure('context-too-long')
    if (matches(filterCodes)) return toFinalFailure('content-filter')
    if (matches(modelCodes, modelPattern)) return toFinalFailure('model-not-found')
    return toFinalFailure('provider-refused')
  }
  // Together answers 403 when input and max_tokens exceed the model's window.
  if (status === 403) {
    const isAboutAccess = /key|permission|forbidden|denied|country|region|not allowed/i.test(error.message)
    return toFinalFailure(
      matches(contextCodes, contextPattern) || (reportsTooLongAsForbidden && !isAboutAccess)
        ? 'context-too-long'
        : 'key-rejected',
    )
  }
  if (status === 404 && /voice/i.test(error.message)) return toFinalFailure('voice-missing')
  if (status === 404 || status === 405 || status === 410)
    return toFinalFailure(isAboutModel(error) ? 'model-not-found' : 'provider-not-found')
  if (status === 429) {
    if (matches([], tooLargePattern)) return toFinalFailure('request-too-large')
    // Google calls per-minute limits an exceeded quota too, but says when to retry.
    const isExhausted = matches([], quotaPattern) && error.retryAfterMs === undefined
    return isExhausted ? toFinalFailure('provider-quota') : toRetryableFailure('provider-busy')
  }
  if (status === 408 || status === 504) return toRetryableFailure('provider-timeout')
  if (status === 409 || status === 425 || status === 503 || status === 529) return toRetryableFailure('provider-busy')
  if (status >= 500) return toRetryableFailure('provider-failed')
  return toFinalFailure(status >= 400 ? 'provider-refused' : 'provider-protocol')
}

const permissionCodes = ['missing_permissions', 'missing_scope', 'detected_unusual_activity']
const permissionPattern = /insufficient permissions|missing (?:the )?(?:scope|permission)/i

/** OpenAI and ElevenLabs also answer 401 when a valid key lacks a permission. */
export function toEffectiveStatus(status: number, { codes, message }: ProviderError): number {
  if (status !== 401) return status
  return permissionPattern.test(message) || codes.some((code) => permissionCodes.includes(code)) ? 403 : status
}

export function toEmbeddedErrorStatus({ codes, message }: ProviderError): number {
  // LM Studio answers this when the address lacks the version path or repeats it.
  if (/^unexpected endpoint/i.test(message)) return 404
  const statusFromCode = codes.map(Number).find((code) => code >= 400 && code <= 599)
  if (statusFromCode !== undefined) return statusFromCode
  const joinedCodes = codes.join(' ')
  if (/overloaded/.test(joinedCodes)) return 529
  if (/unavailable/.test(joinedCodes)) return 503
  if (/quota|rate_limit|limit_exceeded|slow_down|_limited|credit_balance|too_many/.test(joinedCodes)) return 429
  if (/billing/.test(joinedCodes)) return 402
  if (/authentication|invalid_api_key/.test(joinedCodes)) return 401
  if (/permission/.test(joinedCodes)) return 403
  if (/not_found|not_available/.test(joinedCodes)) return 404
  if (/too_large/.test(joinedCodes)) return 413
  if (/timeout/.test(joinedCodes)) return 504
  if (quotaPattern.test(message)) return 402
  if (/server_error|api_error/.test(joinedCodes)) return 500
  return /invalid|context_length|content_filter|content_policy/.test(joinedCodes) ? 400 : 500
}
