import { Listeners } from '#contract/listeners.ts'

/** While the session is lost, calls wait here: a refusal would replace unsaved text on the page. */
let sessionGate: PromiseWithResolvers<boolean> | undefined
const missingTokenListeners = new Listeners()

/** Called when a call finds no token in the browser; the listener can close the gate. */
export const onMissingToken = missingTokenListeners.add
export const notifyMissingToken = missingTokenListeners.notify

/** Window event: the server answered that this session is locked. */
export const lockedEvent = 'keeper-locked'

export function pauseCalls(): void {
  sessionGate ??= Promise.withResolvers()
}

/** Sends the waiting calls; without a session, the server refuses them. */
export function resumeCalls({ isSignedIn }: { isSignedIn: boolean }): void {
  sessionGate?.resolve(isSignedIn)
  sessionGate = undefined
}

/** Undefined without a lost session; otherwise resolves to whether the person signed in again, rejects on abort. */
export function waitForSession(signal?: AbortSignal): Promise<boolean> | undefined {
  if (!sessionGate) return undefined
  if (!signal) return sessionGate.promise
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([sessionGate.promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}
