import { type ProblemCode, problems } from '#contract/problems.ts'

export interface ProblemDetails {
  message?: string
  fields?: Record<string, string>
  data?: unknown
  extra?: Record<string, unknown>
  retryAfterSeconds?: number
  cause?: unknown
  code?: string
}

/** Thrown for every expected failure; `server/http/problem-response.ts` turns it into a response. */
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

export function badField(field: string, message: string, cause?: unknown): Problem {
  return new Problem('bad-input', { message, fields: { [field]: message }, cause })
}

export function createNoSuchAddressProblem(): Problem {
  return new Problem('not-found', { message: 'There’s nothing at this address.' })
}

export function createIdTakenProblem(cause?: unknown): Problem {
  return new Problem('conflict', { message: 'This ID is taken. Send another one.', cause })
}
