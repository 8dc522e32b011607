/** The code of a failed model call, which is stored with the run and decides the HTTP status. */
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
  /** For people: the cause and the remedy. Never a key, never unscrubbed provider text. */
  message: string
  retryable: boolean
  /** The provider's HTTP status, or the one its in-stream error stands for. */
  status?: number
  /** Requested by the provider, in milliseconds. */
  retryAfterMs?: number
}

/**
 * How a model call failed. It carries no `cause` on purpose: one could hold the prompt, the provider's raw body or the
 * request headers.
 */
export class ModelFailure extends Error {
  readonly code: ModelFailureCode
  readonly status?: number
  readonly retryable: boolean
  readonly retryAfterMs?: number
  /** How many requests were sent to the provider, this one included. 0 when none was. */
  attempts = 0
  /** False where the call was left between two requests, or before the first: no provider was at work on it. */
  inFlight = true
  /** The provider had begun to answer this last request, so it charges for it. */
  answerBegan = false
  /** How many requests before this one were answered in part, and are charged for as well. */
  lostAnswers = 0

  constructor(details: ModelFailureDetails) {
    super(details.message)
    this.name = 'ModelFailure'
    this.code = details.code
    this.status = details.status
    this.retryable = details.retryable
    this.retryAfterMs = details.retryAfterMs
  }
}
