import { type ProblemCode, problems } from '#contract/problems.ts'

export interface ProblemDetails {
  /** Replaces the listed text. */
  message?: string
  /** Field name → what is wrong and what to do. */
  fields?: Record<string, string>
  /** Anything the page needs to help, e.g. both versions of a stale save. */
  data?: unknown
  /** Extra members beside `success`, `error` and `code`. */
  extra?: Record<string, unknown>
  retryAfterSeconds?: number
  cause?: unknown
  /** A code of its own where one status covers several failures, e.g. a provider's. */
  code?: string
}

/** Thrown by verbs for every expected failure; `server/http/problem-answer.ts` makes the HTTP answer. */
export class Problem extends Error {
  readonly kind: ProblemCode
  readonly details: ProblemDetails

  constructor(kind: ProblemCode, details: ProblemDetails = {}) {
    super(details.message ?? problems[kind].text, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Problem'
    this.kind = kind
    this.details = details
  }

  get status(): number {
    return problems[this.kind].status
  }

  get code(): string {
    return this.details.code ?? this.kind
  }
}

/** A field that cannot be used, as a 400 that names it. */
export function badField(field: string, message: string, cause?: unknown): Problem {
  return new Problem('bad-input', { message, fields: { [field]: message }, cause })
}

/** An id that the client made is that of something else, or of somebody else's. */
export function idTaken(cause?: unknown): Problem {
  return new Problem('conflict', { message: 'This id is taken. Make another one and send it again.', cause })
}
