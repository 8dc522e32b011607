import type { User } from '#contract/accounts/accounts.ts'
import type { Permission } from '#contract/endpoint.ts'
import type { Ask } from './ask-server.ts'

/** `skipped`: it could not be asked of this person. `tolerated`: it failed and may. Neither counts. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'tolerated'

/** What stands in a report beside the words: figures, states and names of models; never what somebody wrote. */
export type Detail = Record<string, unknown>

/** A page of the app, and what the remedy calls it. */
export interface RemedyAt {
  words: string
  to: string
}

export interface CheckResult {
  id: string
  name: string
  outcome: Outcome
  told: string
  means: string
  /** What to do; `null` where nothing is to be done. */
  remedy: string | null
  /** Where that is done, by words that stand in the remedy. */
  remedyAt?: RemedyAt | undefined
  /** It looked at this browser only. */
  inBrowser?: boolean | undefined
  ms: number
  detail: Detail
}

/** What checks may lean on. */
export interface World {
  ask: Ask
  /** Whoever is signed in in this browser. */
  user: User | null
  /** What the server says that person may; undefined until the session was asked for. */
  permissions: readonly Permission[] | undefined
  signal: AbortSignal
}

export interface Check {
  id: string
  name: string
  /** What it says about the platform, in one sentence. */
  means: string
  /** What to do when it fails. */
  remedy: string
  remedyAt?: RemedyAt
  needsSignIn?: boolean
  permission?: Permission
  /** A failure of it is no failure of the platform. */
  tolerated?: boolean
  /** It looks at this browser only. */
  inBrowser?: boolean
  run(world: World): Promise<{ told: string; detail: Detail }>
}

/** It failed, in words, with what to show. */
export class CheckFailed extends Error {
  override name = 'CheckFailed'
  readonly detail: Detail
  readonly remedy: string | undefined
  constructor(message: string, detail: Detail = {}, remedy?: string) {
    super(message)
    this.detail = detail
    this.remedy = remedy
  }
}

/** The server refuses it to this person; that is no failure. */
export class CheckSkipped extends Error {
  override name = 'CheckSkipped'
}
