import type { User } from '#contract/accounts/accounts.ts'
import type { Permission } from '#contract/endpoint.ts'
import type { ServerRequester } from './server-request.ts'

/** `skipped`: not available to this person. `tolerated`: an optional check failed. Neither counts. */
export type DiagnosticOutcome = 'passed' | 'failed' | 'skipped' | 'tolerated'

/** Goes into the report: numbers, states and model names, never anything a person wrote. */
export type CheckDetail = Record<string, unknown>

export interface RemedyLink {
  linkText: string
  to: string
}

export interface CheckResult {
  id: string
  name: string
  outcome: DiagnosticOutcome
  message: string
  meaning: string
  /** `null` when there is nothing to do. */
  remedy: string | null
  /** The page to fix it on; its `linkText` occurs in the remedy. */
  remedyLink?: RemedyLink | undefined
  /** The check needs no server. */
  inBrowser?: boolean | undefined
  ms: number
  detail: CheckDetail
}

export interface CheckContext {
  request: ServerRequester
  user: User | null
  /** The person's permissions; undefined until the session check has run. */
  permissions: readonly Permission[] | undefined
  signal: AbortSignal
}

export interface DiagnosticCheck {
  id: string
  name: string
  /** One sentence about the platform if the check passes. */
  meaning: string
  remedy: string
  remedyLink?: RemedyLink
  needsSignIn?: boolean
  permission?: Permission
  /** Optional: a failure is not a failure of the platform. */
  tolerated?: boolean
  inBrowser?: boolean
  run(context: CheckContext): Promise<{ message: string; detail: CheckDetail }>
}

export class CheckFailed extends Error {
  override name = 'CheckFailed'
  readonly detail: CheckDetail
  readonly remedy: string | undefined
  constructor(message: string, detail: CheckDetail = {}, remedy?: string) {
    super(message)
    this.detail = detail
    this.remedy = remedy
  }
}

/** The server refuses the check to this person, which is not a failure. */
export class CheckSkipped extends Error {
  override name = 'CheckSkipped'
}
