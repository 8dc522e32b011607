import { Listeners } from '#contract/listeners.ts'

export interface JournalEntry {
  /** Milliseconds since the epoch. */
  at: number
  method: string
  /** Without the query: search terms don't belong in a report. */
  path: string
  /** Undefined without an answer. */
  status: number | undefined
  durationMs: number
  /** Only Keeper’s own answers have one. */
  requestId?: string
}

/** `sign-on`: something in front of the server wants people to sign in, and answers in its place. */
export type Reachability = 'reached' | 'unreachable' | 'sign-on'

const maxJournalEntries = 50
let entries: readonly JournalEntry[] = []
let reachability: Reachability = 'reached'
const journalListeners = new Listeners()
const foreignAnswerListeners = new Listeners()

export function getRecentCalls(): readonly JournalEntry[] {
  return entries
}

/** Whether the server answered the last call, with any status. */
export function getReachability(): Reachability {
  return reachability
}

export const onJournalChange = journalListeners.add
/** Called for answers that aren't the server's own. */
export const onForeignAnswer = foreignAnswerListeners.add

export function recordCall(entry: JournalEntry): void {
  const isFailingAlone = failsAlone(entry.path)
  entries = [entry, ...entries].slice(0, maxJournalEntries)
  if (entry.requestId !== undefined) reachability = 'reached'
  // A sign-on at another address makes every call fail; only `checkConnection` can tell that from no connection.
  else if (entry.status === undefined && reachability === 'reached' && !isFailingAlone) reachability = 'unreachable'
  journalListeners.notify()
  if (entry.status !== undefined && entry.requestId === undefined) foreignAnswerListeners.notify()
}

/** Whether only this path fails: others were answered after it failed before, as when an ad blocker stops one address. */
function failsAlone(path: string): boolean {
  let wereOthersAnswered = false
  // The latest call comes first.
  for (const entry of entries) {
    if (entry.path !== path) wereOthersAnswered ||= entry.requestId !== undefined
    else if (entry.status) return false
    else if (wereOthersAnswered) return true
  }
  return false
}

/** A proxy got no answer from its server; 520 and above are Cloudflare's. */
export const isGatewayFailure = (status: number): boolean =>
  (status >= 502 && status <= 504) || (status >= 520 && status <= 530)

/** 0 is a redirect. */
const signOnStatuses = [0, 200, 401, 403, 407, 511]

/** Asks whether the server can be reached again. Redirects aren't followed: the answer tells a sign-on from no connection. */
export async function checkConnection(): Promise<void> {
  const response = await fetch('/ping', { redirect: 'manual', cache: 'no-store' }).catch(() => undefined)
  if (response?.headers.has('X-Request-Id')) reachability = 'reached'
  else if (!response || isGatewayFailure(response.status)) reachability = 'unreachable'
  else if (signOnStatuses.includes(response.status)) reachability = 'sign-on'
  journalListeners.notify()
}
