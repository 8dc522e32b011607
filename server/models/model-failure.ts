export type ModelFailureCode =
  | 'provider-unreachable'
  | 'provider-timeout'
  | 'provider-busy'
  | 'provider-quota'
  | 'provider-failed'
  | 'key-rejected'
  | 'model-not-found'
  | 'provider-not-found'
  | 'request-too-large'
  | 'context-too-long'
  | 'content-filter'
  | 'provider-refused'
  | 'voice-missing'
  | 'provider-protocol'
  | 'interrupted'
  | 'stopped'

export interface ModelFailureDetails {
  code: ModelFailureCode
  /** The cause and the remedy. Never a key or unscrubbed provider text. */
  message: string
  retryable: boolean
  status?: number
  retryAfterMs?: number
}

/** Has no `cause` on purpose: it could contain the prompt, the provider's raw body or request headers. */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode
  readonly status?: number
  readonly retryable: boolean
  readonly retryAfterMs?: number
  attempts = 0
  /** False if no request was in progress when the run was stopped. */
  wasInFlight = true
  /** The provider had started to answer, so it charges for the request. */
  hasAnswerStarted = false
  /** Earlier requests that were partly answered and are charged too. */
  lostResponseCount = 0

  constructor(details: ModelFailureDetails) {
    super(details.message)
    this.name = 'ModelFailure'
    this.code = details.code
    this.status = details.status
    this.retryable = details.retryable
    this.retryAfterMs = details.retryAfterMs
  }
}
