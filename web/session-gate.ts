/**
 * While the browser has lost the session of the person this page belongs to, their calls wait here until they have signed
 * in again. A call without a token would be refused, and its page would put the refusal in place of what is typed.
 */
let gate: PromiseWithResolvers<boolean> | undefined
const missingTokenListeners = new Set<() => void>()

/** Notified when a call finds no token in the browser; a listener that knows better closes the gate. */
export function onMissingToken(listener: () => void): () => void {
  missingTokenListeners.add(listener)
  return () => missingTokenListeners.delete(listener)
}

export function notifyMissingToken(): void {
  for (const listener of missingTokenListeners) listener()
}

export function holdCalls(): void {
  gate ??= Promise.withResolvers()
}

/** @param signedIn whether there is a session again; without one the calls go out and are refused */
export function releaseCalls(signedIn: boolean): void {
  gate?.resolve(signedIn)
  gate = undefined
}

/** Undefined where nobody has to sign in again; else resolves to whether they did, and rejects when the call is aborted. */
export function waitForSession(signal?: AbortSignal): Promise<boolean> | undefined {
  if (!gate) return undefined
  if (!signal) return gate.promise
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([gate.promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}
