/** The one word that says how a model call ended badly. It is stored with the run and decides the HTTP answer. */
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

export interface ModelFailureFacts {
  code: ModelFailureCode
  /** A plain sentence for people: what happened and what to do. Never a key, never unscrubbed provider text. */
  message: string
  retryable: boolean
  /** The provider's HTTP status, or the one its in-stream error stands for. */
  status?: number
  /** How long the provider asked us to wait, in milliseconds. */
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

  constructor(facts: ModelFailureFacts) {
    super(facts.message)
    this.name = 'ModelFailure'
    this.code = facts.code
    this.status = facts.status
    this.retryable = facts.retryable
    this.retryAfterMs = facts.retryAfterMs
  }
}
