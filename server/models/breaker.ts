import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'

const failuresToOpen = 5
const failureWindowMs = 30_000
const openDurationMs = 10_000

/** A breaker's scope: one person's broken key or model must not block other calls. */
export interface Circuit {
  provider: string
  address: string
  key: string | null
  model: string
}

interface CircuitState {
  failures: number[]
  openUntil: number
}

const maxCircuits = 5000
const circuits = new LruMap<string, CircuitState>(maxCircuits)

/** Hashed, so that neither keys nor long names stay in memory. */
const toCircuitKey = ({ provider, address, key, model }: Circuit) =>
  createHash('sha256')
    .update(JSON.stringify([provider, address, key, model]))
    .digest('base64url')

/** Milliseconds; 0 lets a call proceed. 5 failures in a row within 30 s open the circuit for 10 s, then one call probes it. */
export function getCooldownMs(circuit: Circuit, now: number): number {
  if (circuits.size === 0) return 0
  const state = circuits.get(toCircuitKey(circuit))
  if (!state || state.openUntil === 0) return 0
  if (now < state.openUntil) return state.openUntil - now
  state.openUntil = now + openDurationMs
  return 0
}

export function reportSuccess(circuit: Circuit): void {
  if (circuits.size > 0) circuits.delete(toCircuitKey(circuit))
}

export function reportFailure(circuit: Circuit, now: number): void {
  const key = toCircuitKey(circuit)
  const state = circuits.get(key) ?? { failures: [], openUntil: 0 }
  state.failures = [...state.failures.filter((failedAt) => now - failedAt < failureWindowMs), now].slice(
    -failuresToOpen,
  )
  if (state.failures.length >= failuresToOpen || state.openUntil > 0) state.openUntil = now + openDurationMs
  circuits.set(key, state)
}

export function resetBreakers(): void {
  circuits.clear()
}
