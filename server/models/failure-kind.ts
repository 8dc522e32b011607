import type { ModelFailureCode } from './model-failure.ts'
import type { ProviderError } from './provider-error.ts'

export interface FailureKind {
  code: ModelFailureCode
  retryable: boolean
}

const final = (code: ModelFailureCode): FailureKind => ({ code, retryable: false })
const passing = (code: ModelFailureCode): FailureKind => ({ code, retryable: true })

const quotaWords = [
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
// Not /billing/: OpenAI's temporary limits end with a link to the billing page.
const quotaText = /credit balance|exceeded your current quota|spend(?:ing)? limit|usage limits?\b/i
const tooLargeWords = ['request_too_large', 'max_character_limit_exceeded', 'text_too_long']
const tooLargeText = /request too large|request_too_large|character limit/i
const contextWords = ['context_length_exceeded', 'string_above_max_length']
const contextText =
  /context (?:length|window|size)|maximum number of tokens allowed|maximum context|prompt is too long|too many (?:input )?tokens|max_new_tokens/i
const filterWords = ['content_filter', 'content_policy_violation', 'invalid_prompt']
const keyWords = ['invalid_api_key', 'authentication_error', 'missing_api_key', 'api_key_invalid']
const keyText = /api.?key (?:is )?(?:not valid|invalid)|invalid api.?key/i
const modelWords = [
  'model_not_found',
  'model_not_available',
  'model_decommissioned',
  'unknown_model',
  'deploymentnotfound',
  'operationnotsupported',
  'not_found_error',
]
const modelText =
  /(?:invalid|unknown) model|not a (?:valid model|chat model)|model (?:(?!model ).)*(?:does not exist|not exist|not found|decommissioned|retired)|unable to access (?:\S+ )?model|no endpoints found for/i

/** A wrong address is answered with 404 as well, and no other model would help. */
const isAboutModel = ({ words, message, param }: ProviderError) =>
  words.some((word) => modelWords.includes(word)) ||
  param === 'model' ||
  modelText.test(message) ||
  (/\bmodels?\b/i.test(message) && !/\b(?:url|route|path|endpoint)\b/i.test(message))

/** What an HTTP error (or the status an in-stream error stands for) means for a run. Pure. */
export function toFailureKind(
  status: number,
  error: ProviderError,
  { isForbiddenTooLong = false }: { isForbiddenTooLong?: boolean | undefined } = {},
): FailureKind {
  const says = (words: string[], text?: RegExp) =>
    error.words.some((word) => words.includes(word)) || (text?.test(error.message) ?? false)

  // ElevenLabs answers both a bad key and an empty quota with 400 or 401, so the word decides, not the status.
  if (status === 402 || says(quotaWords)) return final('provider-quota')
  if (status === 401 || (status < 500 && says(keyWords)) || (status === 400 && says([], keyText)))
    return final('key-rejected')
  if (status === 413 || (status < 500 && says(tooLargeWords))) return final('request-too-large')
  if (status === 400 || status === 422) {
    if (says([], quotaText)) return final('provider-quota')
    if (says(contextWords, contextText)) return final('context-too-long')
    if (says(filterWords)) return final('content-filter')
    if (says(modelWords, modelText)) return final('model-not-found')
    return final('provider-refused')
  }
  // Together answers 403 when input + max_tokens do not fit the model.
  if (status === 403) {
    const aboutAccess = /key|permission|forbidden|denied|country|region|not allowed/i.test(error.message)
    return final(
      says(contextWords, contextText) || (isForbiddenTooLong && !aboutAccess) ? 'context-too-long' : 'key-rejected',
    )
  }
  if (status === 404 && /voice/i.test(error.message)) return final('voice-missing')
  if (status === 404 || status === 405 || status === 410)
    return final(isAboutModel(error) ? 'model-not-found' : 'provider-not-found')
  if (status === 429) {
    if (says([], tooLargeText)) return final('request-too-large')
    // Google says of a limit of a minute, too, that the quota is exceeded, and then when it is over.
    const isOver = says([], quotaText) && error.retryAfterMs === undefined
    return isOver ? final('provider-quota') : passing('provider-busy')
  }
  if (status === 408 || status === 504) return passing('provider-timeout')
  if (status === 409 || status === 425 || status === 503 || status === 529) return passing('provider-busy')
  if (status >= 500) return passing('provider-failed')
  return final(status >= 400 ? 'provider-refused' : 'provider-protocol')
}

const permissionWords = ['missing_permissions', 'missing_scope', 'detected_unusual_activity']
const permissionText = /insufficient permissions|missing (?:the )?(?:scope|permission)/i

/** The HTTP status an answer stands for: OpenAI and ElevenLabs say 401, too, of a good key that may not do this. */
export function statusMeant(status: number, { words, message }: ProviderError): number {
  if (status !== 401) return status
  return permissionText.test(message) || words.some((word) => permissionWords.includes(word)) ? 403 : status
}

/** The HTTP status an error inside a 200 stream (or in a 200 body) stands for; 500 when it does not say. */
export function statusOfInnerError({ words, message }: ProviderError): number {
  // LM Studio, at an address without its version path or with two of them.
  if (/^unexpected endpoint/i.test(message)) return 404
  const explicit = words.map(Number).find((word) => word >= 400 && word <= 599)
  if (explicit !== undefined) return explicit
  const all = words.join(' ')
  if (/overloaded/.test(all)) return 529
  if (/unavailable/.test(all)) return 503
  if (/quota|rate_limit|limit_exceeded|slow_down|_limited|credit_balance|too_many/.test(all)) return 429
  if (/billing/.test(all)) return 402
  if (/authentication|invalid_api_key/.test(all)) return 401
  if (/permission/.test(all)) return 403
  if (/not_found|not_available/.test(all)) return 404
  if (/too_large/.test(all)) return 413
  if (/timeout/.test(all)) return 504
  if (/server_error|api_error/.test(all)) return 500
  return /invalid|context_length|content_filter|content_policy/.test(all) ? 400 : 500
}
