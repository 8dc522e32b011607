import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'

const failuresToOpen = 5
const failureWindowMs = 30_000
const openForMs = 10_000

/** The scope of a breaker: one person's broken key or model must not block the calls of others. */
export interface Circuit {
  provider: string
  address: string
  key: string | null
  model: string
}

interface CircuitState {
  /** When each of the latest failures in a row happened. */
  failures: number[]
  /** Calls fail fast until then; the first one after it is the probe. */
  openUntil: number
}

const maxCircuits = 5000
const circuits = new LruMap<string, CircuitState>(maxCircuits)

/** Hashed, so that neither keys nor long names stay in memory. */
const toKey = ({ provider, address, key, model }: Circuit) =>
  createHash('sha256')
    .update(JSON.stringify([provider, address, key, model]))
    .digest('base64url')

/**
 * How many milliseconds a call should not even be tried, 0 when it may go ahead. After 5 failures in a row within 30 s a
 * circuit rests for 10 s; then one call may probe it while the others keep failing fast.
 */
export function getCooldownMs(circuit: Circuit, now: number): number {
  if (circuits.size === 0) return 0
  const state = circuits.get(toKey(circuit))
  if (!state || state.openUntil === 0) return 0
  if (now < state.openUntil) return state.openUntil - now
  state.openUntil = now + openForMs
  return 0
}

export function reportSuccess(circuit: Circuit): void {
  if (circuits.size > 0) circuits.delete(toKey(circuit))
}

export function reportFailure(circuit: Circuit, now: number): void {
  const key = toKey(circuit)
  const state = circuits.get(key) ?? { failures: [], openUntil: 0 }
  state.failures = [...state.failures.filter((at) => now - at < failureWindowMs), now].slice(-failuresToOpen)
  // A failed probe opens the circuit again at once.
  if (state.failures.length >= failuresToOpen || state.openUntil > 0) state.openUntil = now + openForMs
  circuits.set(key, state)
}

/** Forgets every failure, for tests that share a provider. */
export function resetBreakers(): void {
  circuits.clear()
}
